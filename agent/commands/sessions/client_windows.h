// Windows on samples, for clients of the pprof endpoints, which know nothing of each other. A window uses a
// session that runs and samples all that is needed, else one that is started for windows: no command controls it, and
// it ends with its last window. Thread safe; calls with a JNIEnv come on attached threads.
#pragma once

#include <jni.h>

#include <memory>
#include <string>
#include <vector>

#include "commands/agent_locks.h"
#include "commands/jvm_lifecycle.h"
#include "commands/sessions/session_conflicts.h"
#include "commands/sessions/session_starter.h"
#include "commands/sessions/session_table.h"
#include "commands/store_controller.h"
#include "options/options.h"
#include "profile/model/profile.h"
#include "session/session_snapshot.h"

namespace hearth::commands {

class ClientWindows {
 public:
  // All outlive this.
  ClientWindows(AgentLocks* locks, JvmLifecycle* jvm, SessionTable* table, SessionStarter* starter,
                StoreController* store, OutputWriter* outputs);

  struct Window {
    std::shared_ptr<session::ProfileSession> session;
    session::SessionSnapshot since;
    bool is_shared = false;  // the session was started for windows
    bool is_new = false;     // for this one
  };
  // `needed`: the events of the client. `started`: with them, events that clients usually ask for as well, which a new
  // session samples where it can. A window must be closed. Throws Error where no session can be used or started.
  Window open(const options::Options& needed, const options::Options& started, JNIEnv* env);
  profile::Profile profile(const Window& window, const session::ProfileRange& range, const options::Options& output,
                           JNIEnv* env);
  // `env` may be null at the JVM's end.
  void close(Window* window, JNIEnv* env);

  // The events of the sessions that were started for windows, one text for each session.
  std::vector<std::string> events() const;

 private:
  std::shared_ptr<session::ProfileSession> usable_session(const options::Options& needed) const;
  std::shared_ptr<session::ProfileSession> start_session(const options::Options& options, JNIEnv* env);
  void close_locked(Window* window, JNIEnv* env);

  AgentLocks* locks_;
  JvmLifecycle* jvm_;
  SessionTable* table_;
  SessionStarter* starter_;
  StoreController* store_;
  SessionConflicts conflicts_;
};

}  // namespace hearth::commands
