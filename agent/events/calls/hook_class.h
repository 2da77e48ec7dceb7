// The class java.lang.HearthCalls, whose methods the hooks call, in the running JVM. Calls come one at a time, except
// finds_hook_class() and those of observers.
#pragma once

#include <jni.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace hearth::events {

inline constexpr const char* kHookClass = "java/lang/HearthCalls";
// A hook's number has that of its session in the upper bits.
inline constexpr unsigned kTargetBits = 6;
inline constexpr int kSessionsOfHooks = 1 << 9;

// Where hooks are: each kind serves one CallHooks at a time.
enum class CallHook : uint8_t {
  kEnter,  // at the beginning of a call
  kLeave,  // at both ends; only the end is reported, and only of a call that took long enough
  kWait,   // at both ends of waits: see wait_hooks.h
};
inline constexpr size_t kCallHooks = 3;

struct Call {
  int target;       // index of the first target that matches
  int64_t time_ns;  // 0 for kEnter
};
using CallObserver = void (*)(const Call& call);

// Calls by their time: four cells for each power of two of nanoseconds (size_class.h, without its class 0).
using CallCells = std::array<int64_t, 256>;

// Defines the class once in a process. Throws Error where the JVM does not allow it.
void define_hook_class(JNIEnv* env);
// True if classes of the loader call our hooks. Finds them by it before the first hook runs: a hook in the loader's own
// code would search for its class without end. Any thread.
bool finds_hook_class(JNIEnv* env, jobject loader);

// Lets the hooks of a session call the observer. Null: those of none. Not for kWait.
void observe_calls(CallHook kind, int session, CallObserver observer);
// Counts calls of a session's targets from 0, and reports those that take at least `shortest` nanoseconds. Without
// targets it counts none any more. False: the JVM has no memory.
bool count_calls(JNIEnv* env, int session, const std::vector<int64_t>& shortest);
// Calls of a target since then; nothing if the JVM cannot give them.
std::optional<CallCells> counted_calls(JNIEnv* env, size_t target);

}  // namespace hearth::events
