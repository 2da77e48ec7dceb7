// Unsafe.park, by which the locks of java.util.concurrent wait, as an observer sees it. The JVM tells of no park, so
// its native method is bound to one of ours. Virtual threads that leave their carrier do not come by here.
#pragma once

#include <jvmti.h>

#include <cstdint>

namespace hearth::events {

// On the thread that was parked, when it goes on: a native method that Java code called. `began_ns`: CLOCK_MONOTONIC.
// Leaves no exception pending.
using ParkObserver = void (*)(JNIEnv* env, uint64_t began_ns);

// For good, from the first call that succeeds, and again only when another agent has bound the method since: each time
// that one is bound anew its compiled wrapper is lost to the code cache. On an attached thread; calls come one at a
// time. Throws Error.
void hook_parks(JavaVM* java_vm, jvmtiEnv* jvmti);

// Null: nobody observes, and a park costs one load more than without. It may still be called until the parks of now
// have ended.
void observe_parks(ParkObserver observer);

}  // namespace hearth::events
