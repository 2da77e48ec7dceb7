// Lets a session that begins with the JVM sample each thread from its first allocation on.
#pragma once

#include <jvmti.h>

#include <cstdint>

#include "capture/unwind/java/vm_layout.h"

namespace hearth::events {

// Makes new threads draw their points by this interval instead of the JVM's own. Call it while the agent loads, before
// the JVM makes its first thread. Does nothing if the JVM has no sampler, or another agent has it.
void set_first_interval(JavaVM* java_vm, int64_t interval);

// True if all living threads have drawn by `interval`, as a session with that interval begins. Later threads draw by
// the JVM's own. One session at a time.
bool all_drew_by(int64_t interval);

// Fills the rest of the calling thread's TLAB: the JVM handed it out before sampling began, so it has no sample point.
// The sampler's events must be on.
void leave_tlab(JNIEnv* env, const capture::AllocationLayout& layout, uintptr_t thread);

}  // namespace hearth::events
