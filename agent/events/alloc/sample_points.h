// Where the JVM's allocation sampler will take each thread's next sample.
#pragma once

#include <jvmti.h>

#include <cstdint>

#include "capture/unwind/java/java_frames.h"
#include "capture/unwind/java/vm_layout.h"

namespace hearth::events {

// A thread that lives when the interval becomes 0 keeps the point that it drew before, and the TLAB that it was given
// without one: hundreds of KB would go by unseen. Collects the garbage, for then every TLAB is taken back, and in the
// pause, when no thread allocates, sets the points of all to the next object. On an attached thread; `sampler`'s events
// are on, and its interval will be 0. False: this JVM keeps its points elsewhere, or does not collect, and no point was
// set.
bool bring_sample_points_here(JavaVM* java_vm, jvmtiEnv* sampler, const capture::VmLayout& layout,
                              const capture::ThreadAccess& access);

// Visits the JavaThreads of a JVM that stands still; of a list that is none an end of it. Takes no memory.
void visit_listed_threads(const capture::ThreadListLayout& layout, void (*visit)(void* with, uintptr_t thread),
                          void* with);

}  // namespace hearth::events
