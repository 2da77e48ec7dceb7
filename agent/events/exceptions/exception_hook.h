// The hook in the constructors of java.lang.Throwable, which is called with each exception that is made. Calls come one
// at a time.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/jvm_refs.h"

namespace hearth::events {

inline constexpr const char* kExceptionHookClass = "java/lang/HearthExceptions";

// `exception` has its message; constructors of its own classes may still run. `weight`: of so many it was chosen.
// Called by the thread that makes it.
using ExceptionObserver = void (*)(JNIEnv* env, jobject exception, int64_t weight);

struct ExceptionHookState;

class ExceptionHook {
 public:
  // Java frames of the hook, inside of which the observer is called.
  static constexpr uint8_t kFrames = 2;

  // `vm_ends` outlives the hook.
  ExceptionHook(JavaVM* java_vm, const std::atomic<bool>* vm_ends);
  ExceptionHook(const ExceptionHook&) = delete;
  ExceptionHook& operator=(const ExceptionHook&) = delete;
  ~ExceptionHook();

  // `interval`: of so many exceptions one is observed; 0: each as long as they are few. Throws Error, and changes
  // nothing, where the JVM does not let Throwable be changed.
  void start(int64_t interval, ExceptionObserver observer);
  // Gives Throwable its own code back. The observer may still be running.
  void stop();

  // Exceptions made since start(), observed or not. On any thread.
  int64_t count() const;
  // Between start() and stop(): why exceptions are not counted, or nothing. On any thread.
  std::string trouble() const;

 private:
  void change_throwable(JNIEnv* env);

  JavaVM* java_vm_;
  const std::atomic<bool>* vm_ends_;
  JvmtiEnvironment jvmti_;
  std::unique_ptr<ExceptionHookState> state_;
  bool is_published_ = false;
  bool is_quiescent_ = true;
  std::atomic<bool> counts_{false};
  std::atomic<int64_t> count_{0};  // at stop()
};

}  // namespace hearth::events
