// What the JVM's own tracer of allocations is told (share/gc/shared/allocTracer.hpp): a thread took a new TLAB for an
// object, or an object came to lie outside of any. Met by breakpoints. Signal safe.
#pragma once

#include <cstdint>

#include "capture/faults/traps.h"
#include "capture/recorder.h"
#include "capture/store/name_table.h"
#include "capture/unwind/java/java_frames.h"
#include "events/handlers/known_slot.h"

namespace hearth::events {

// What the handlers of one running session work on.
struct TlabSampling {
  uint64_t number = 0;  // of the session in this process, never the same again
  uint16_t event = 0;
  int64_t interval = 0;       // bytes; 0: whatever is met is recorded
  bool tells_object = false;  // the second argument is the object, as from JDK 10 and 8u262 on
  capture::Recorder* recorder = nullptr;
  const capture::VmLayout* layout = nullptr;
  const capture::ThreadAccess* access = nullptr;
  SlotsByThread slots_by_thread;
  capture::NameTable* classes = nullptr;
};

// Numbers `sampling` and publishes it to the handlers; null stops them, and returns only when no handler works on the
// one before any more.
void publish(TlabSampling* sampling);

// At the first instruction of the two functions.
extern const capture::TrapAction kOnNewTlab;
extern const capture::TrapAction kOnOutsideOfTlab;

struct TlabWeight {
  int64_t bytes = 0;
  double objects = 0;
};

// What an object stands for that the tracer was told of: all that its thread allocated since the one before, to the
// byte. An object outside of TLABs as large as the interval stands for itself, and so does the first one, before which
// nothing is known. Less than `interval` is not worth a sample and goes to the next one: then nothing.
// `allocated`: what the JVM counts for the thread (without its TLAB, with an object outside); `last`: how much of
// that earlier samples stand for, and what it was; brought up to date.
TlabWeight weigh_traced_object(int64_t size, bool is_outside, int64_t interval, int64_t allocated,
                               capture::AllocationMark* last);

}  // namespace hearth::events
