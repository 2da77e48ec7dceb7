// Executes commands, one at a time: a parsed set of options becomes calls of the class that does the work. Thread safe.
#pragma once

#include <jni.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "commands/agent_locks.h"
#include "commands/answer.h"
#include "commands/control.h"
#include "commands/jvm_lifecycle.h"
#include "commands/session_commands.h"
#include "commands/session_reports.h"
#include "commands/sessions/heap_holders.h"
#include "commands/sessions/output_writer.h"
#include "commands/store_controller.h"
#include "options/options.h"

namespace hearth::commands {

class CommandRunner {
 public:
  // All outlive this.
  CommandRunner(AgentLocks* locks, JvmLifecycle* jvm, Log* log, SessionCommands* sessions, StoreController* store,
                SessionReports* reports, OutputWriter* outputs, HeapHolders* holders);

  // Runs one command on an attached thread. Throws Error; then nothing has changed, except that a stop has
  // stopped when its output cannot be written: a dump can write it elsewhere. `env` may be null before VMInit: then
  // only a start can be given, and waits for VMInit. `sets_log`: the command may configure the log.
  Answer execute(const options::Options& options, JNIEnv* env, bool sets_log);
  // As ProfilerApi::profile(), on an attached thread.
  ProfilePtr profile(const options::Options& options, const std::function<void()>& before_model, JNIEnv* env);
  // Stops a session and writes nothing; a dump can write it.
  void stop_session(const options::Options& options, JNIEnv* env);
  // execute() for a caller that takes no answer: the answer goes to the reply= file where there is one, else a product
  // to standard output and a message to the log. Returns whether the command succeeded.
  bool execute_and_reply(const std::string& text, JNIEnv* env);
  // Runs the commands that wait for VMInit.
  void run_waiting(JNIEnv* env);

  // The server of http=; it outlives the agent.
  void set_control(Control* control) { control_ = control; }
  // At the JVM's end. Each does nothing without a server.
  void interrupt_control();
  void end_control();

 private:
  Control& control() const;
  std::optional<Control::Serving> serve(const options::Options& options);
  bool execute_and_reply(const options::Options& options, JNIEnv* env);
  Answer run(const options::Options& options, JNIEnv* env, bool sets_log);
  Answer before_vm_init(const options::Options& options);
  Output stop_or_dump(const options::Options& options, JNIEnv* env);
  Answer start(const options::Options& options, JNIEnv* env);
  Answer dispatch(const options::Options& options, JNIEnv* env);
  void warn_of_lost_profiles();

  AgentLocks* locks_;
  JvmLifecycle* jvm_;
  Log* log_;
  SessionCommands* sessions_;
  StoreController* store_;
  SessionReports* reports_;
  OutputWriter* outputs_;
  HeapHolders* holders_;
  std::atomic<Control*> control_{nullptr};
  std::vector<options::Options> waiting_;  // given before VMInit; guarded by the state lock
  std::atomic<bool> at_vm_start_{false};   // the command is one of the JVM's own options
};

}  // namespace hearth::commands
