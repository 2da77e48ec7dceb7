// Hooks in the methods that patterns name, of loaded classes and of those loaded later. start() and stop() come one at
// a time, on an attached thread; the observer is called by the threads that call the methods.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/jvm_refs.h"
#include "events/calls/hook_class.h"
#include "options/calls/call_pattern.h"

namespace hearth::events {

struct CallTarget {
  options::CallPattern pattern;
  int64_t shortest_ns = 0;       // of a reported call, for kLeave
  bool is_only_entered = false;  // for kWait: the hook is at the beginning alone; the first such runs before waits, too
};

struct CallHooksState;

class CallHooks {
 public:
  static constexpr size_t kMostTargets = 64;
  // Java frames of the hooks, inside of which the observer is called.
  static constexpr uint8_t kFrames = 2;

  // `vm_ends` outlives the hooks. Throws Error for too many targets.
  CallHooks(JavaVM* java_vm, const std::atomic<bool>* vm_ends, CallHook kind, std::vector<CallTarget> targets);
  CallHooks(const CallHooks&) = delete;
  CallHooks& operator=(const CallHooks&) = delete;
  ~CallHooks();

  // Throws Error, and hooks nothing, where the JVM does not let classes be changed. `observer`: none for kWait, whose
  // interval is that of the first target.
  void start(CallObserver observer);
  // Gives all classes their own code back, unless the JVM ends: it may have no memory for that, and needs none of it.
  // Methods that run now end with their hooks, and those of waits are heard until ignore_waits().
  void stop();

  // These are valid after start(), on any thread.
  size_t hooked_methods() const;
  // All calls of each target, for kLeave; fewer targets if the JVM cannot give them.
  std::vector<CallCells> calls() const;
  // Indices of targets that match no method with code.
  std::vector<size_t> unmatched() const;
  // One line on classes and methods without hooks, or "".
  std::string trouble() const;

 private:
  using Wanted = std::function<bool(jclass type, const std::string& name)>;

  // Lets the hooks of this session be heard.
  void prepare(JNIEnv* env, CallObserver observer);
  void retransform_all(JNIEnv* env, const Wanted& wanted);
  void restore_classes(JNIEnv* env);

  JavaVM* java_vm_;
  const std::atomic<bool>* vm_ends_;
  const CallHook kind_;
  JvmtiEnvironment jvmti_;
  std::unique_ptr<CallHooksState> state_;
  bool is_quiescent_ = true;
};

}  // namespace hearth::events
