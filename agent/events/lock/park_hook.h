// Observes Unsafe.park, by which the locks of java.util.concurrent wait. The JVM has no event for it, so its native
// method is bound to one of ours. Virtual threads that unmount from their carrier do not call it.
#pragma once

#include <jvmti.h>

#include <cstdint>

namespace hearth::events {

// Called on the parked thread when it continues, in a native method called by Java code. `began_ns`: CLOCK_MONOTONIC.
// Must leave no exception pending.
using ParkObserver = void (*)(JNIEnv* env, uint64_t began_ns);

// Binds the method permanently with the first successful call, and again only if another agent has bound it since: each
// binding leaks the method's compiled wrapper in the code cache. On an attached thread; one call at a time. Throws
// Error.
void hook_parks(JavaVM* java_vm, jvmtiEnv* jvmti);

// Null: no observer, and a park costs one load more than before. The previous observer may be called until current
// parks have ended.
void observe_parks(ParkObserver observer);

}  // namespace hearth::events
