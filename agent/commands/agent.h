// The agent of this process: one object that lives until the process ends. It connects the parts, each of which does
// one job, and passes the JVM's events on to them:
//
//   CommandRunner ── SessionCommands ──┬── SessionStarter ── SessionTable ── OwnThreads
//        │               │             │         │
//        │          OutputWriter  StoreController │
//   SessionReports                ClientWindows ──┘      AgentLocks orders them all, JvmLifecycle is the JVM
//
// Thread safe.
#pragma once

#include <jvmti.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "commands/agent_locks.h"
#include "commands/answer.h"
#include "commands/asprof_commands.h"
#include "commands/command_runner.h"
#include "commands/control.h"
#include "commands/java/java_labels.h"
#include "commands/jvm_lifecycle.h"
#include "commands/metrics_text.h"
#include "commands/native_process.h"
#include "commands/own_threads.h"
#include "commands/session_commands.h"
#include "commands/session_reports.h"
#include "commands/sessions/client_windows.h"
#include "commands/sessions/heap_holders.h"
#include "commands/sessions/output_writer.h"
#include "commands/sessions/session_starter.h"
#include "commands/sessions/session_table.h"
#include "commands/store_controller.h"
#include "options/options.h"
#include "vm/vm.h"

namespace hearth::commands {

class Agent {
 public:
  // Never destroyed: signals and JVM callbacks may come until the very end.
  static Agent& instance();

  // Connects to the JVM, once. `live`: the VM is past VMInit. Throws Error when this JVM cannot be profiled at all.
  void enter(JavaVM* java_vm, bool live);

  // As CommandRunner::execute().
  Answer execute(const options::Options& options, JNIEnv* env, bool sets_log = true);
  // As CommandRunner::profile().
  ProfilePtr profile(const options::Options& options, const std::function<void()>& before_model, JNIEnv* env);
  // As CommandRunner::execute_and_reply().
  bool command(const std::string& text, JNIEnv* env);
  // Runs a command on a thread of the JVM that does nothing else meanwhile, which profiles leave out.
  bool run_on_own_thread(const std::function<bool()>& run) { return own_threads_.run_command(run); }

  void set_control(Control* control) { runner_.set_control(control); }
  void set_native_classes(const NativeClasses* classes) { jvm_.set_native_classes(classes); }

  // As SessionReports has them.
  std::vector<SessionFigures> figures();
  std::optional<SessionFigures> figures_of(const options::Options& command);
  std::string metrics(AgentFigures figures);
  // Increases when a session starts, pauses, resumes or ends.
  uint64_t session_changes() const { return table_.changes(); }

  ClientWindows& windows() { return windows_; }
  AsprofCommands& asprof() { return asprof_; }
  StoreController& store() { return store_; }
  NativeProcess& native() { return native_; }

  // Threads of hearth outside the sessions: no session samples them.
  void own_thread_begins(int tid) { own_threads_.add(tid); }
  void own_thread_ends(int tid) { own_threads_.remove(tid); }

  Log& log() { return log_; }
  vm::Vm& vm() { return jvm_.vm(); }

  // Events of the JVM.
  void vm_initialized(JNIEnv* env) { runner_.run_waiting(env); }
  void vm_dies(JNIEnv* env);
  void thread_started(JNIEnv* env, jthread thread);
  void thread_ended(JNIEnv* env, jthread thread);

 private:
  Agent();

  JvmLifecycle jvm_;
  Log log_;
  AgentLocks locks_;
  SessionTable table_;
  OwnThreads own_threads_;
  SessionStarter starter_;
  OutputWriter outputs_;
  StoreController store_;
  SessionCommands sessions_;
  SessionReports reports_;
  ClientWindows windows_;
  HeapHolders holders_;
  CommandRunner runner_;
  AsprofCommands asprof_;
  NativeProcess native_;
};

}  // namespace hearth::commands
