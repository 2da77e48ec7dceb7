// Builds the profile model from counted stacks. On an attached thread.
#pragma once

#include <vector>

#include "capture/store/span_table.h"
#include "capture/store/stack_tree.h"
#include "events/event_traits.h"
#include "events/threads/thread_registry.h"
#include "naming/event_columns.h"
#include "naming/frame_namer.h"
#include "naming/sample_labels.h"
#include "options/options.h"
#include "profile/model/profile.h"
#include "session/counting/sample_counts.h"
#include "vm/label_sets.h"

namespace hearth::naming {

// Resolves the numbers in a sample.
struct SampleResolver {
  const capture::StackTree& tree;
  std::vector<events::ThreadRegistry::Thread> threads;  // by serial number
  const vm::LabelSets& labels;
  const capture::SpanTable& spans;
  const events::EventTraits& traits;
  bool has_dates = false;  // Part::time is the second since 1970 of an allocation, which becomes a label
};

// Adds every counted stack to `profile`, which has the value types of `columns`. With options.threads each stack
// begins with its thread's frame. The thread is a label in any case.
void build_model(const SampleResolver& resolver, const std::vector<session::SampleCounts::Part>& counts,
                 const options::Options& options, FrameNamer* namer, const EventColumns& columns,
                 profile::Profile* profile);

}  // namespace hearth::naming
