// The events of a session's options with the engines that can sample them.
#pragma once

#include <memory>
#include <vector>

#include "capture/store/name_table.h"
#include "capture/unwind/stack_walk.h"
#include "events/alloc/live_objects.h"
#include "events/event_traits.h"
#include "options/options.h"
#include "session/counting/native_live.h"
#include "session/sample_sources.h"
#include "vm/vm.h"

namespace hearth::session {

// The parts of a session that sources use; all outlive them.
struct SourceContext {
  vm::Vm* vm;
  const options::Options* options;
  const capture::WalkPlan* plan;
  capture::NameTable* classes;  // receives the names of the classes of objects, of locks and of exceptions
  events::EventTraits* traits;
  events::LiveObjects* live;
  NativeLive* native_live;
  std::shared_ptr<events::LockHolders> holders;  // null without that event
};

// In the order of the events' numbers.
std::vector<SampleSources::Spec> source_specs(const SourceContext& context);

}  // namespace hearth::session
