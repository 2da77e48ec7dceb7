// The class java.lang.HearthWaits, whose methods the hooks around waits of virtual threads call, in the running JVM.
// Calls come one at a time, except those of the observer.
#pragma once

#include <jni.h>

#include <cstdint>
#include <vector>

namespace hearth::events {

inline constexpr const char* kWaitHookClass = "java/lang/HearthWaits";

// On the virtual thread, at the end of its wait; must leave no exception pending. Of waits that end one is observed
// with probability time / interval: if `threshold`, which is below 2^31, is smaller than time / interval * 2^31.
// `frames`: the innermost Java frames, which are those of hooks.
using WaitObserver = void (*)(JNIEnv* env, int64_t time_ns, int32_t threshold, jobject thread, uint8_t frames);
inline constexpr int kThresholdBits = 31;

// Whether the JVM has virtual threads.
bool has_virtual_threads(JNIEnv* env);

// Defines the class once in a process. Throws Error where the JVM does not allow it.
void define_wait_hook_class(JNIEnv* env);
// Null: none.
void observe_waits(WaitObserver observer);

// Lets the hooks of a session call the observer from now on. `after_lock`: the number of the target whose hook runs
// before waits as well. Throws Error.
void follow_waits(JNIEnv* env, int session, int64_t interval, int after_lock);
void ignore_waits(JNIEnv* env);
// Of waits that end from now on only the time after `since_ns` (CLOCK_MONOTONIC) counts.
void report_waits_since(JNIEnv* env, int64_t since_ns);

// Waits that begin from now on may have no hook.
void expect_no_more_hooks(JNIEnv* env);

// Finds the virtual threads that wait now. The ends of their waits are reported also if no hook saw these begin. False:
// the JVM does not list them.
bool list_waiting_threads(JNIEnv* env);
// Threads that were found and still wait, as new local references, and the time that each stands for: its own since
// report_waits_since() or the last call, or if they are more than `most` a part of that of all. Of waits that end later
// only the time from now on is reported. A pending exception or too little memory: none.
struct StillWaiting {
  std::vector<jobject> threads;
  std::vector<jlong> times_ns;
  std::vector<jdouble> counts;  // of waits
};
StillWaiting still_waiting(JNIEnv* env, int most);

}  // namespace hearth::events
