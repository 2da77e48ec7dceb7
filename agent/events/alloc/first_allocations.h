// What lets a session that begins with the JVM see a thread's allocations from the first one on.
#pragma once

#include <jvmti.h>

#include <cstdint>

#include "capture/unwind/java/vm_layout.h"

namespace hearth::events {

// While the agent loads, before the JVM makes its first thread: threads draw their points by this interval, no longer
// by the JVM's own. Does nothing where the JVM has no sampler, or another agent has taken it.
void set_first_interval(JavaVM* java_vm, int64_t interval);

// Whether all threads that live have drawn by `interval`, as a session with that interval begins. After it threads draw
// by the JVM's own. One session at a time.
bool all_drew_by(int64_t interval);

// Fills the rest of the calling thread's TLAB: the JVM gave it out while nobody sampled, so that it has no sample
// point. The sampler's events are on.
void leave_tlab(JNIEnv* env, const capture::AllocationLayout& layout, uintptr_t thread);

}  // namespace hearth::events
