// All sessions of the process, under one lock that is held for the length of a look-up only: JVM callbacks read the
// table, and must not wait for a dump. Thread safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "commands/sessions/session_choice.h"
#include "options/options.h"
#include "session/profile_session.h"

namespace hearth::commands {

// A session that commands control, running or stopped: it can be dumped until another session starts that samples one
// of its events.
struct UserSession {
  std::shared_ptr<session::ProfileSession> session;
  std::string unwritten{};  // the file of its start, when its stop named another output
  bool is_fetched = false;  // its stop has returned or written the profile
};

class SessionTable {
 public:
  using Session = session::ProfileSession;
  using SessionPtr = std::shared_ptr<Session>;

  void add_user(SessionPtr session);
  void drop_user(const Session& session);
  bool has_user(const Session& session) const;
  // Drops the stopped sessions that share an event with `by`.
  void drop_replaced(const Session& by);
  // Moves a stopped session behind all others: stopped sessions are in the order of their ends.
  void mark_ended(const Session& session);
  void mark_fetched(const Session& session);
  void set_unwritten(const Session& session, const std::string& file);

  std::vector<UserSession> user_sessions() const;
  // Without private sessions after their profile was fetched. Running sessions first: unnamed, named, private; then
  // stopped.
  std::vector<UserSession> listed() const;
  // The session that a command means, by the rules of resolve_session(). Throws Error where there is none, or several.
  UserSession resolve(const options::Options& command) const;
  // Null: no user session that runs has this number.
  SessionPtr running_user(uint64_t number) const;

  // Sessions that run without a command: those of the pprof endpoints' clients and the store's own.
  void add_auxiliary(SessionPtr session);
  void drop_auxiliary(const Session& session);
  std::vector<SessionPtr> auxiliary_sessions() const;

  // Auxiliary sessions that clients share, with a count of their clients.
  void share(const SessionPtr& session);
  // Counts one more client. False: the session is not shared.
  bool add_client(const Session& session);
  // Counts one client less. True: it was the last one, and the session is no longer shared.
  bool remove_client(const Session& session);
  size_t shared_count() const;

  std::vector<SessionPtr> all() const;
  std::vector<SessionPtr> running() const;

  // Increases when a session starts, pauses, resumes or ends.
  uint64_t changes() const { return changes_; }
  void count_change() { changes_++; }

 private:
  struct Shared {
    SessionPtr session;
    int clients = 0;
  };

  mutable std::mutex mutex_;
  std::vector<UserSession> user_sessions_;
  std::vector<SessionPtr> auxiliary_sessions_;
  std::vector<Shared> shared_;
  std::atomic<uint64_t> changes_{0};
};

SessionDescriptor descriptor_of(const session::ProfileSession& session);

}  // namespace hearth::commands
