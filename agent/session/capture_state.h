// The memory and settings that the signal path of one session works with: how to walk, where stacks, samples, threads
// and class names go.
#pragma once

#include "capture/recorder.h"
#include "capture/store/name_table.h"
#include "events/event_traits.h"
#include "events/threads/thread_registry.h"
#include "events/threads/withheld_time.h"
#include "options/options.h"
#include "vm/vm.h"

namespace hearth::session {

struct CaptureState {
  CaptureState(const vm::Vm& vm, const options::Options& options);

  // Throws Error with the remedy when memory could not be reserved.
  void require_memory() const;

  // Looks for libraries that the process loaded or unloaded and replaces the map of native code. One call at a time.
  void refresh_libraries(vm::Vm* vm);

  capture::WalkPlan plan;
  capture::StackTree tree;
  capture::SampleRing ring;
  capture::Recorder recorder;
  events::ThreadRegistry registry;
  capture::NameTable classes;
  events::EventTraits traits;
  events::WithheldMeter withheld;  // since the session began

 private:
  bool rules_are_mixed_ = false;  // cached unwind rules may belong to libraries that were unloaded since
};

}  // namespace hearth::session
