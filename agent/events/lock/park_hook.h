// Observes Unsafe.park and Unsafe.unpark, by which threads wait in java.util.concurrent and wake each other. The JVM
// has no events for them, so the native methods are bound to ours. Virtual threads that unmount from their carrier do
// not call them.
#pragma once

#include <jvmti.h>

#include <cstdint>

#include "events/alloc/class_numbers.h"

namespace hearth::events {

// Called in native methods called by Java code; must leave no exception pending. `began_ns`: CLOCK_MONOTONIC. Null
// members are not called.
struct ParkObserver {
  // On a thread that is about to park. Returns what `ends` gets.
  void* (*begins)(JNIEnv* env, uint64_t began_ns);
  // On the same thread when it continues.
  void (*ends)(JNIEnv* env, uint64_t began_ns, void* begun);
  // On a thread that is about to wake `thread`, which is not null.
  void (*wakes)(JNIEnv* env, jobject thread);
};

// The field of java.lang.Thread with what a thread parks for; null: there is none.
jfieldID find_park_blocker(JNIEnv* env);

// The number of the class of what the thread parks for, if LockSupport was told; else NameTable::kNone.
uint32_t number_of_blocker(ClassNumbers* classes, jvmtiEnv* jvmti, JNIEnv* env, jobject thread, jfieldID park_blocker);

// Who observes: one at a time of each.
enum class ParkUser : uint8_t { kLocks, kWakers, kCount };

// Binds the methods permanently with the first successful call, and again only if another agent has bound one since:
// each binding leaks a method's compiled wrapper in the code cache. On an attached thread; one call at a time. Throws
// Error.
void hook_parks(JavaVM* java_vm, jvmtiEnv* jvmti);

// `observer`: lives as long as the process. Null: none, and a park or unpark costs two loads more than before. The
// previous observer may be called until current parks have ended.
void observe_parks(ParkUser user, const ParkObserver* observer);

}  // namespace hearth::events
