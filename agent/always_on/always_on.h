// The always-on profile: a session at low rates, without an end, whose windows go to a store. While another session
// samples the same event, the store borrows its samples: each event has one sampler, and each client its own view.
//
// Rule of rebalance(), called after any session starts, pauses, resumes or ends:
//
//   wanted = the store's events, at the rates that the budget allows
//   for each running session of others, in their order:      begin=/end=    filtered    unfiltered
//        it lends ........................................    nothing        nothing     the events of `wanted` it
//        samples it removes from `wanted` ........................    everything     contended   the same, and
//        contended events
//   the own session samples what is left of `wanted`; it restarts only if that differs from what it samples
//
// Invariant: at any moment each event of the store has at most one source, the own session or one loan, and a loan's
// `since` is the end of what the window has of it. So no sample is in a window twice. An event without a source is
// reported in `unsampled_` and in the window's notes. (Contended: only one session at a time can sample the event.)
//
//   command      release_resources_for()     session starts      rebalance()
//   ─────────────────●───────────────────────────●───────────────────●──────────▶ time
//   own session  cpu,alloc ends ▐                                ▐ cpu begins
//   user session                                 ▐ alloc ······· lent to the store from its start ·····▶
//
// Calls come one at a time under the agent's lock, on attached threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "always_on/always_on_figures.h"
#include "always_on/flight_recorder.h"
#include "always_on/overhead_budget.h"
#include "always_on/store_push.h"
#include "base/log.h"
#include "options/options.h"
#include "profile/model/merged_profile.h"
#include "push/push_loop.h"
#include "session/profile_session.h"
#include "session/session_snapshot.h"
#include "store/window_store.h"

namespace hearth::always_on {

class AlwaysOn {
 public:
  struct Callbacks {
    // Starts a session that no command controls. Throws Error.
    std::function<std::shared_ptr<session::ProfileSession>(const options::Options& options, JNIEnv* env)> begin;
    std::function<void(session::ProfileSession* session)> end;
    // All sessions of the process.
    std::function<std::vector<std::shared_ptr<session::ProfileSession>>()> sessions;
    // The thread that pushes windows calls these, perhaps after the store has been destroyed.
    std::function<void()> own_thread_begins, own_thread_ends;
    std::function<JvmIdentity()> jvm;
  };
  // Throws Error where the store cannot be written, nothing can be sampled, or a file that pushing needs cannot be
  // read.
  AlwaysOn(const options::Options& options, Log* log, vm::Vm* vm, Callbacks callbacks);

  void start(JNIEnv* env);
  // Stores what was sampled until now.
  void stop(JNIEnv* env);

  // Call it before a session starts: ends the own session where it holds what that one needs.
  void release_resources_for(const options::Options& wanted, JNIEnv* env);
  // Call it before a session resumes events: all that it samples of them from then on is lent to the store.
  void adopt_resumed(const std::shared_ptr<session::ProfileSession>& session, const options::Options& resumed);
  // Ends the own session where it uses a signal that a start lacks. False: it uses none.
  bool release_clock(JNIEnv* env);
  // Call it after a session started, failed to start, or ended. See the rule above.
  void rebalance(JNIEnv* env);

  // What is to be written. write() takes no lock but the store's own, so no command waits for a disk.
  struct Ended {
    std::optional<profile::Profile> window;
    std::string freeze_reason;  // "": the flight recorder has no trigger
  };
  void write(const Ended& ended);
  // Call it at due_ns(), always on the same thread: measures the cost, and ends the window when it is over.
  Ended turn(JNIEnv* env);
  // Ends the window now, unless it has just begun, for a query that includes the last moment.
  Ended flush(JNIEnv* env);
  // Call it after turn() has thrown: delays the next call.
  void put_off();
  uint64_t due_ns() const { return due_ns_; }  // CLOCK_MONOTONIC

  bool owns(const session::ProfileSession& session) const { return own_.session.get() == &session; }
  std::string status() const;
  AlwaysOnFigures figures() const;
  const options::Options& options() const { return options_; }
  const std::string& directory() const { return store_.directory(); }
  store::WindowStore& store() { return store_; }
  Log& log() { return *log_; }
  bool watches_labels() const { return recorder_.watches_labels(); }

 private:
  // A session that lends events to the window. `since`: the end of the part that the window has.
  struct BorrowedSession {
    std::shared_ptr<session::ProfileSession> session;
    std::vector<std::string> events;
    session::SessionSnapshot since;
  };
  void begin_window();
  std::optional<profile::Profile> end_window(JNIEnv* env);
  void collect(BorrowedSession* loan, JNIEnv* env);
  void begin_own(const options::Options& rest, JNIEnv* env);
  void end_own(JNIEnv* env);
  options::Options wanted_now() const;
  std::string reason_to_freeze(JNIEnv* env);
  const session::ProfileSession* session_of(const char* event) const;
  bool should_slow_down();
  bool has_grown(bool is_window_over) const;
  void set_due();

  const options::Options options_;  // as they were asked for
  Log* const log_;
  const Callbacks callbacks_;
  const std::optional<options::PushTarget> push_target_;  // checked before the store makes its directory
  store::WindowStore store_;
  std::unique_ptr<push::PushLoop> push_;  // null: nothing is pushed
  OverheadBudget budget_;
  FlightRecorder recorder_;
  std::atomic<uint64_t> frozen_{0};
  BorrowedSession own_;
  uint64_t own_began_ns_ = 0;
  std::vector<BorrowedSession> borrowed_;  // sessions of others
  // When each session of the last rebalance() began. A loan of a session that is not new starts now: its earlier
  // samples were not the store's, or are in the window from another source.
  std::vector<uint64_t> known_sessions_;
  profile::MergedProfile window_;
  int64_t window_began_unix_ns_ = 0;
  uint64_t window_began_ns_ = 0;  // CLOCK_MONOTONIC
  uint64_t window_ends_ns_ = 0;
  uint64_t due_ns_ = 0;
  // Readings of these clocks at the last measurement of the cost.
  struct Clocks {
    int64_t own_session = 0;
    int64_t own_thread = 0;
    int64_t process = 0;
    uint64_t time = 0;
  } measured_;
  int64_t ended_cost_ns_ = 0;  // of own sessions that have ended since then
  std::string unsampled_;      // why an event has no source; "": each has one
  std::string told_;           // the last reason that was logged
  bool begins_ = false;        // start() is at work
};

// Surrounds the start or end of a session: its constructor calls release_resources_for() where a session starts, its
// destructor calls rebalance().
class StoreRebalanceGuard {
 public:
  // A null `store` does nothing.
  StoreRebalanceGuard(AlwaysOn* store, const options::Options& wanted, JNIEnv* env);
  StoreRebalanceGuard(AlwaysOn* store, JNIEnv* env);  // for a session that ends
  StoreRebalanceGuard(const StoreRebalanceGuard&) = delete;
  StoreRebalanceGuard& operator=(const StoreRebalanceGuard&) = delete;
  ~StoreRebalanceGuard();

 private:
  AlwaysOn* store_;
  JNIEnv* env_;
};

// Whether the session is a store's own.
bool is_always_on(const session::ProfileSession& session);

}  // namespace hearth::always_on
