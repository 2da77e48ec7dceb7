// Report of the walkers' test mode (cstack=compare): how often the walkers differed, and each recorded difference as
// two collapsed stacks.
#pragma once

#include <string>

#include "capture/comparison.h"
#include "capture/store/stack_tree.h"
#include "naming/frame_namer.h"

namespace hearth::naming {

// Returns one line of counts.
std::string comparison_summary(const capture::Comparison& comparison);

// Returns two lines for each difference, "ours: …" and "asked: …", outermost frame first, with the bci after each Java
// frame.
std::string comparison_examples(const capture::Comparison& comparison, const capture::StackTree& tree,
                                FrameNamer* namer, const profile::Profile& profile);

}  // namespace hearth::naming
