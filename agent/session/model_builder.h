// Counted stacks to the profile model. On an attached thread.
#pragma once

#include <vector>

#include "capture/span_table.h"
#include "capture/stack_tree.h"
#include "events/thread_registry.h"
#include "profile/profile.h"
#include "session/event_columns.h"
#include "session/frame_namer.h"
#include "session/label_sets.h"
#include "session/options.h"
#include "session/sample_counts.h"

namespace hearth::session {

// What the numbers in a sample stand for.
struct SampleMeanings {
  const capture::StackTree& tree;
  std::vector<events::ThreadRegistry::Thread> threads;  // by serial number
  const LabelSets& labels;
  const capture::SpanTable& spans;
};

// Adds every counted stack to `profile`, whose value types are those of `columns`. With options.threads each stack
// begins with its thread's frame; the model carries the thread as a label either way.
void build_model(const SampleMeanings& meanings, const std::vector<SampleCounts::Part>& counts, const Options& options,
                 FrameNamer* namer, const EventColumns& columns, profile::Profile* profile);

}  // namespace hearth::session
