// The always-on profile: a session at low rates, for ever, whose windows go to a store. Where another session samples
// the same event, the windows are taken from that for as long as it runs: of each event there is one sampler, and every
// client has its own view. Calls come one at a time under the agent's lock, on attached threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profile/merged_profile.h"
#include "push/push_loop.h"
#include "session/always_on_figures.h"
#include "session/flight_recorder.h"
#include "session/log.h"
#include "session/options.h"
#include "session/overhead_budget.h"
#include "session/profile_session.h"
#include "session/store_push.h"
#include "store/window_store.h"

namespace hearth::session {

class AlwaysOn {
 public:
  struct Doors {
    // Starts a session that no command is about. Throws Error.
    std::function<std::shared_ptr<ProfileSession>(const Options& options, JNIEnv* env)> begin;
    std::function<void(ProfileSession* session)> end;
    // All sessions that there are.
    std::function<std::vector<std::shared_ptr<ProfileSession>>()> sessions;
    // The thread that pushes windows calls these, perhaps after all of this has gone.
    std::function<void()> own_thread_begins, own_thread_ends;
    std::function<JvmIdentity()> jvm;
  };
  // Throws Error where the store cannot be written, or nothing can be sampled.
  AlwaysOn(const Options& options, Log* log, Vm* vm, Doors doors);

  void start(JNIEnv* env);
  // What was sampled until now is stored.
  void stop(JNIEnv* env);

  // Before a session starts: what it needs is left to it.
  void make_room(const Options& wanted, JNIEnv* env);
  // Before a session goes on with events that it had paused: all that it samples of them is the store's.
  void expect_from(const std::shared_ptr<ProfileSession>& session, const Options& resumed);
  // Where that did not do: its own session ends. False: there was none.
  bool gives_way(JNIEnv* env);
  // After it has started, did not start, or has ended: takes what it has, and samples itself what none of them does.
  void settle(JNIEnv* env);

  // What is to be written. To do so takes no lock but the store's own: nobody's command waits for a disk.
  struct Ended {
    std::optional<profile::Profile> window;
    std::string freeze_reason;  // "": the flight recorder keeps nothing
  };
  void write(const Ended& ended);
  // At due_ns(): measures what this costs, and ends the window when it is over. Always on the same thread.
  Ended turn(JNIEnv* env);
  // Ends the window now, unless it has just begun, for somebody who asks for what has just been.
  Ended flush(JNIEnv* env);
  // After something was thrown: not again at once.
  void put_off();
  uint64_t due_ns() const { return due_ns_; }  // CLOCK_MONOTONIC

  bool owns(const ProfileSession& session) const { return own_.session.get() == &session; }
  std::string status() const;
  AlwaysOnFigures figures() const;
  const Options& options() const { return options_; }
  const std::string& directory() const { return store_.directory(); }
  store::WindowStore& store() { return store_; }
  Log& log() { return *log_; }
  bool watches_labels() const { return recorder_.watches_labels(); }

 private:
  // A session that the window takes some events from, and up to where it has.
  struct Tap {
    std::shared_ptr<ProfileSession> session;
    std::vector<std::string> events;
    SessionMark since;
  };
  void begin_window();
  std::optional<profile::Profile> end_window(JNIEnv* env);
  void collect(Tap* tap, JNIEnv* env);
  void begin_own(const Options& rest, JNIEnv* env);
  void end_own(JNIEnv* env);
  Options wanted_now() const;
  std::string reason_to_freeze(JNIEnv* env);
  const ProfileSession* session_of(const char* event) const;
  bool should_slow_down();
  bool has_grown(bool is_window_over) const;
  void set_due();

  const Options options_;  // as they were asked for
  Log* const log_;
  const Doors doors_;
  store::WindowStore store_;
  std::unique_ptr<push::PushLoop> push_;  // null: nothing is pushed
  OverheadBudget budget_;
  FlightRecorder recorder_;
  std::atomic<uint64_t> frozen_{0};
  Tap own_;
  uint64_t own_began_ns_ = 0;
  std::vector<Tap> taps_;  // sessions of others
  // When those that were there at the last settle() began: what they had before the store turned to them is not its,
  // or is in its windows from another that samples the same.
  std::vector<uint64_t> seen_;
  profile::MergedProfile window_;
  int64_t window_began_unix_ns_ = 0;
  uint64_t window_began_ns_ = 0;  // CLOCK_MONOTONIC
  uint64_t window_ends_ns_ = 0;
  uint64_t due_ns_ = 0;
  // How far these clocks were when the cost was measured last.
  struct Clocks {
    int64_t own_session = 0;
    int64_t own_thread = 0;
    int64_t process = 0;
    uint64_t time = 0;
  } measured_;
  int64_t ended_cost_ns_ = 0;  // of own sessions that have ended since
  std::string unsampled_;      // why some event is missing, until it is there again
  std::string told_;           // of that
  bool begins_ = false;        // start() is at work
};

// While it lasts a session starts, or ends: what the store samples makes room before, and it sees to what nobody
// samples after.
class RoomInStore {
 public:
  // `store` may be null: then it does nothing.
  RoomInStore(AlwaysOn* store, const Options& wanted, JNIEnv* env);
  RoomInStore(AlwaysOn* store, JNIEnv* env);  // for one that ends
  RoomInStore(const RoomInStore&) = delete;
  RoomInStore& operator=(const RoomInStore&) = delete;
  ~RoomInStore();

 private:
  AlwaysOn* store_;
  JNIEnv* env_;
};

// Of a session whether it is a store's own.
bool is_always_on(const ProfileSession& session);

}  // namespace hearth::session
