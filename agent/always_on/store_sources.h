// The sessions that sample for the store: its own, at low rates, and those of others that lend it their samples. Each
// event has one sampler, and each client its own view.
//
// Rule of rebalance(), called after any session starts, pauses, resumes or ends:
//
//   wanted = the store's events, at the rates that the budget allows
//   for each running session of others, in their order:      begin=/end=    filtered    unfiltered
//        it lends ........................................    nothing        nothing     the events of `wanted` it
//        samples it removes from `wanted` ........................    everything     contended   the same, and
//        contended events
//   the own session samples the rest of `wanted`; it restarts only if its events change
//
// Invariant: at any moment each event of the store has at most one source, the own session or one loan, and a loan's
// `since` is the end of the part that the window has. So no sample is in a window twice. unsampled() and the window's
// notes report an event without a source. (Contended: only one session at a time can sample the event.)
//
//   command      release_resources_for()     session starts      rebalance()
//   ─────────────────●───────────────────────────●───────────────────●──────────▶ time
//   own session  cpu,alloc ends ▐                                ▐ cpu begins
//   user session                                 ▐ alloc ······· lent to the store from its start ·····▶
//
// Calls come one at a time under the agent's lock, on attached threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "always_on/overhead_budget.h"
#include "base/log.h"
#include "options/options.h"
#include "profile/model/merged_profile.h"
#include "session/profile_session.h"
#include "session/session_snapshot.h"

namespace hearth::always_on {

class StoreSources {
 public:
  using SessionPtr = std::shared_ptr<session::ProfileSession>;
  struct Callbacks {
    // Starts a session that no command controls, which goes on with the live memory of `before`, a session that has
    // just ended; null: with none. Throws Error.
    std::function<SessionPtr(const options::Options& options, const SessionPtr& before, JNIEnv* env)> begin;
    std::function<void(session::ProfileSession* session)> end;
    // All sessions of the process.
    std::function<std::vector<SessionPtr>()> sessions;
  };
  // All outlive this. `budget` determines the rates.
  StoreSources(const options::Options* options, const OverheadBudget* budget, Log* log, Callbacks callbacks)
      : options_(options), budget_(budget), log_(log), callbacks_(std::move(callbacks)) {}

  // Throws Error where nothing can be sampled. Samples that sessions have taken before are not the store's.
  void start(JNIEnv* env);
  void end_own(JNIEnv* env);
  void drop_loans() { borrowed_.clear(); }

  // Call it before a session starts: ends the own session where that one needs its resources.
  void release_resources_for(const options::Options& wanted, JNIEnv* env);
  // Call it before a session resumes events: all that it samples of them from then on is lent to the store.
  void adopt_resumed(const SessionPtr& session, const options::Options& resumed);
  // Ends the own session where it uses a signal that a start lacks. False: it uses none.
  bool release_clock(JNIEnv* env);
  // Call it after a session started, failed to start, or ended. See the rule above.
  void rebalance(JNIEnv* env);
  // Replaces the own session when the rates change (`rates_change`) or it has grown, and retries a start that failed.
  void renew_own(bool rates_change, bool is_window_over, JNIEnv* env);

  // Adds the samples taken until now to the window. When it throws, the next call adds them.
  void collect_all(JNIEnv* env);
  // The window's profile, which is then empty again; nothing where no source has added to it.
  std::optional<profile::Profile> take();

  // The session that samples the event for the store; null: none does.
  const session::ProfileSession* session_of(const std::string& event) const;
  int64_t own_cpu_ns() const;  // of all own sessions since start()
  // Why an event has no source; "": each has one.
  const std::string& unsampled() const { return unsampled_; }
  // The events that each session of others lends.
  std::vector<std::vector<std::string>> lent() const;
  Log& log() const { return *log_; }

 private:
  // A session that samples for the window. `since`: the end of the part that the window has.
  struct Source {
    SessionPtr session;
    std::vector<std::string> events;
    session::SessionSnapshot since;
  };
  struct Plan {
    options::Options rest;  // for the own session
    std::vector<Source> loans;
    std::vector<uint64_t> sessions;  // as known_sessions_
    std::string missing;             // as unsampled_
  };
  void collect(Source* source, JNIEnv* env);
  Source stop_own();
  Plan plan(JNIEnv* env);
  void take_loans(std::vector<Source> loans);
  void restart_own(const options::Options& rest, JNIEnv* env);
  void begin_own(const options::Options& rest, JNIEnv* env);
  Source* loan_of(const SessionPtr& session);
  bool has_own_grown(bool is_window_over) const;

  const options::Options* const options_;  // as they were asked for
  const OverheadBudget* const budget_;
  Log* const log_;
  const Callbacks callbacks_;
  Source own_;
  // The last own session until rebalance() has replaced it, which goes on with its live memory.
  SessionPtr before_;
  uint64_t own_began_ns_ = 0;
  int64_t ended_cpu_ns_ = 0;  // of own sessions that have ended
  std::vector<Source> borrowed_;
  // When each session of the last rebalance() began. A loan of a session that is not new starts now: its earlier
  // samples were not the store's, or are in the window from another source.
  std::vector<uint64_t> known_sessions_;
  profile::MergedProfile window_{nullptr, profile::MergedProfile::Live::kLatest};
  std::string unsampled_;
  std::string logged_;  // the last reason that was logged
};

// Whether the session is a store's own.
bool is_always_on(const session::ProfileSession& session);

}  // namespace hearth::always_on
