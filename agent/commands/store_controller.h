// The always-on store: its start and stop, the thread that ends its windows, and queries of stored windows.
#pragma once

#include <jni.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "always_on/always_on.h"
#include "base/bounded_thread.h"
#include "commands/agent_locks.h"
#include "commands/jvm_lifecycle.h"
#include "commands/own_threads.h"
#include "commands/sessions/session_starter.h"
#include "commands/sessions/session_table.h"
#include "options/options.h"
#include "store/time_range.h"

namespace hearth::commands {

class StoreController {
 public:
  // All outlive this.
  StoreController(AgentLocks* locks, JvmLifecycle* jvm, Log* log, SessionTable* table, OwnThreads* own_threads,
                  SessionStarter* starter);

  // Under both of the agent's locks, on an attached thread. Each returns a message, or throws Error.
  std::string start(const options::Options& options, JNIEnv* env);
  std::string stop(JNIEnv* env);
  // Null: no store runs. Under the state lock.
  always_on::AlwaysOn* running() const { return always_on_.get(); }
  // Runs `begin`, and again when it lacked a signal that the store's own session could release: commands have priority
  // over a session without an end. Under both locks.
  void with_free_signal(JNIEnv* env, const std::function<void()>& begin);

  // These take the locks that they need. On attached threads; any throws Error.
  //
  // At the JVM's end: stores the running window and stops.
  void end(JNIEnv* env);
  // Reads a range of the running store, or of the directory options.store. Includes the last moment.
  profile::Profile range(const options::Options& options, JNIEnv* env);
  // Stores the running window as far as `range` needs it. Returns the store's directory; "": no store runs.
  std::string flush(const store::TimeRange& range, JNIEnv* env);
  // Any thread.
  std::optional<always_on::AlwaysOnFigures> figures();

 private:
  always_on::AlwaysOn::Callbacks callbacks();
  std::string directory();
  void end_thread();
  void work();
  uint64_t turn(JNIEnv* env);
  void write(always_on::AlwaysOn* store, const always_on::AlwaysOn::Ended& ended);

  AgentLocks* locks_;
  JvmLifecycle* jvm_;
  Log* log_;
  SessionTable* table_;
  OwnThreads* own_threads_;
  SessionStarter* starter_;
  std::shared_ptr<always_on::AlwaysOn> always_on_;
  BoundedThread thread_;
  std::mutex thread_mutex_;  // guards the two below
  std::condition_variable thread_wakes_;
  bool thread_ends_ = false;
};

}  // namespace hearth::commands
