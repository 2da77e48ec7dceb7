// A process that had no JVM when it was first profiled: its beginning, its end, and its replacement by exec. Thread
// safe.
#pragma once

#include <jni.h>

#include <functional>

#include "commands/agent_locks.h"
#include "commands/jvm_lifecycle.h"
#include "commands/session_commands.h"

namespace hearth::commands {

class NativeProcess {
 public:
  // All outlive this. `end_jvm`: what the end of a JVM does, on a thread that is attached to it if there is one.
  NativeProcess(AgentLocks* locks, JvmLifecycle* jvm, SessionCommands* sessions, std::function<void(JNIEnv*)> end_jvm)
      : locks_(locks), jvm_(jvm), sessions_(sessions), end_jvm_(std::move(end_jvm)) {}

  // Lets commands run without a JVM, on threads without an `env`; a JVM may come later.
  void enter();
  // Stops the sessions and writes them.
  void end();
  // Writes the sessions' files and samples no more. Returns what samples again, where the process goes on.
  std::function<void()> leave_for_exec();

 private:
  AgentLocks* locks_;
  JvmLifecycle* jvm_;
  SessionCommands* sessions_;
  const std::function<void(JNIEnv*)> end_jvm_;
};

}  // namespace hearth::commands
