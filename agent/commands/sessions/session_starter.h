// Starts sessions and enters them in the table. Calls come one at a time under the agent's locks, on attached threads.
#pragma once

#include <jni.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "base/log.h"
#include "commands/jvm_lifecycle.h"
#include "commands/own_threads.h"
#include "commands/sessions/session_table.h"
#include "options/options.h"

namespace hearth::commands {

class SessionStarter {
 public:
  using Session = session::ProfileSession;
  using SessionPtr = std::shared_ptr<Session>;

  // All outlive this. `on_timeout` is called on a thread of its own when a session's time is over.
  SessionStarter(JvmLifecycle* jvm, Log* log, SessionTable* table, OwnThreads* own_threads,
                 std::function<void(uint64_t number)> on_timeout);

  // Each throws Error when the session cannot start; then the table is as before.
  // `recording`: the file that the samples are recorded into while the session runs; "": none.
  SessionPtr start_user(const options::Options& options, const std::string& recording, JNIEnv* env);
  // `before`: as in the session's hooks.
  SessionPtr start_auxiliary(const options::Options& options, JNIEnv* env, const Session* before = nullptr);
  void stop_auxiliary(Session* session);

  // Of the JVM; without one, the session's own look at the process has the names.
  void name_living_threads(Session* session, JNIEnv* env);
  // While a store runs, the JVM's events stay on between its sessions.
  void set_store_runs(bool store_runs) { store_runs_ = store_runs; }
  // Stops listening to the JVM's events when nothing runs.
  void stop_listening_when_idle();

 private:
  Session::Hooks hooks_of(uint64_t number, const std::set<int>& excluded);
  void begin(Session* session, const std::set<int>& excluded, JNIEnv* env);

  JvmLifecycle* jvm_;
  Log* log_;
  SessionTable* table_;
  OwnThreads* own_threads_;
  const std::function<void(uint64_t)> on_timeout_;
  uint64_t last_number_ = 0;
  bool store_runs_ = false;
};

}  // namespace hearth::commands
