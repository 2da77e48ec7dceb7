// Handlers on the JVM's own allocation tracer (share/gc/shared/allocTracer.hpp), which is called when a thread took a
// new TLAB for an object, or got an object outside of TLABs. Reached by breakpoints. Signal safe.
#pragma once

#include <cstdint>

#include "capture/faults/traps.h"
#include "capture/recorder.h"
#include "capture/store/name_table.h"
#include "capture/unwind/java/java_frames.h"
#include "events/handlers/cached_slot.h"

namespace hearth::events {

// State of one running session for its handlers.
struct TlabSampling {
  uint64_t number = 0;  // unique in this process
  uint16_t event = 0;
  int64_t interval = 0;        // bytes; 0: every call is recorded
  bool passes_object = false;  // the second argument is the object: from JDK 10 and 8u262 on
  capture::Recorder* recorder = nullptr;
  const capture::VmLayout* layout = nullptr;
  const capture::ThreadAccess* access = nullptr;
  SlotsByThread slots_by_thread;
  capture::NameTable* classes = nullptr;
};

// Numbers `sampling` and publishes it to the handlers. Null stops them; returns when no handler uses the previous one
// any more.
void publish(TlabSampling* sampling);

// Actions at the first instruction of the two functions.
extern const capture::TrapAction kOnNewTlab;
extern const capture::TrapAction kOnOutsideOfTlab;

struct TlabWeight {
  int64_t bytes = 0;
  double objects = 0;
};

// Returns the weight of a traced object: the exact bytes that its thread allocated since the previous sample. An object
// outside of TLABs as large as the interval has its own size as weight, and so has the first object, before which the
// bytes are unknown. Returns 0 below `interval`: those bytes are added to the next sample.
// `allocated`: the JVM's count for the thread (without its TLAB, with an object outside). `last`: the bytes that
// earlier samples cover, and the last count; updated.
TlabWeight weigh_traced_object(int64_t size, bool is_outside, int64_t interval, int64_t allocated,
                               capture::AllocationMark* last);

}  // namespace hearth::events
