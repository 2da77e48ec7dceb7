// Hooks in the methods that patterns name, of loaded classes and of those loaded later. start() and stop() come one at
// a time, on an attached thread; the observer is called by the threads that call the methods.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/jvm_refs.h"
#include "events/calls/call_pattern.h"

namespace hearth::events {

struct CallTarget {
  CallPattern pattern;
  bool has_time = false;    // reports calls that end instead of those that begin
  int64_t shortest_ns = 0;  // of a reported call, if it has
};

struct Call {
  int target;       // index of the first target that matches
  int64_t time_ns;  // 0 at its beginning
};
using CallObserver = void (*)(JNIEnv* env, const Call& call);

struct CallHooksState;

class CallHooks {
 public:
  static constexpr size_t kMostTargets = 64;

  CallHooks(JavaVM* java_vm, std::vector<CallTarget> targets);
  CallHooks(const CallHooks&) = delete;
  CallHooks& operator=(const CallHooks&) = delete;
  ~CallHooks();

  // Throws Error, and hooks nothing, where the JVM does not let classes be changed.
  void start(CallObserver observer);
  // Gives all classes their own code back. Methods that run now end with their hooks.
  void stop();

  // Valid after start().
  size_t hooked_methods() const;
  // One line on classes and methods without hooks, or "".
  std::string trouble() const;

 private:
  void open();
  void retransform_matching(JNIEnv* env);

  JavaVM* java_vm_;
  JvmtiEnvironment jvmti_;
  std::unique_ptr<CallHooksState> state_;
  bool is_quiescent_ = true;
};

}  // namespace hearth::events
