// What the walkers' test mode (cstack=compare) found, for people: how often they differed, and each kept difference as
// two collapsed stacks.
#pragma once

#include <string>

#include "capture/comparison.h"
#include "capture/stack_tree.h"
#include "session/frame_namer.h"

namespace hearth::session {

// One line of counts.
std::string comparison_summary(const capture::Comparison& comparison);

// Two lines for each difference, "ours: …" and "asked: …", outermost frame first, bci behind each Java frame.
std::string comparison_examples(const capture::Comparison& comparison, const capture::StackTree& tree,
                                FrameNamer* namer, const profile::Profile& profile);

}  // namespace hearth::session
