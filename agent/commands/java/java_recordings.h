// Tells Java code whether a recording is written: the classes one.profiler.Recording of async-profiler's API and of
// hearth's own, one for each class loader that has one. Thread safe.
#pragma once

#include <jvmti.h>

#include <mutex>
#include <vector>

#include "base/jvm_refs.h"
#include "commands/java/java_labels.h"

namespace hearth::commands {

class JavaRecordings {
 public:
  enum State : jint { kUnavailable = 0, kStopped = 1, kRunning = 2 };  // values of the classes' `state`

  // Adds the classes that were loaded before the agent, and registers their native methods, which are those of the row
  // with their name. On an attached thread, as all others.
  void connect(jvmtiEnv* jvmti, JNIEnv* env, const LoadedClasses& loaded, const NativeClasses& classes);
  // Adds a class, which is in its initializer. Returns its state.
  jint add(JNIEnv* env, jclass recording);
  void set_state(JNIEnv* env, State state);

 private:
  struct Recording {
    jweak type;
    jfieldID state;
  };
  bool has(JNIEnv* env, jclass recording) const;

  std::mutex mutex_;  // never held while a class's initializer is waited for, which may call add()
  State state_ = kStopped;
  std::vector<Recording> classes_;
};

}  // namespace hearth::commands
