// One session's life: started with options, running, stopped; its samples stay to be dumped until it is destroyed. All
// public calls come one at a time under the agent's lock, except thread_started and thread_ended.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "capture/fault_handler.h"
#include "capture/name_table.h"
#include "capture/recorder.h"
#include "events/collection_cost.h"
#include "events/event_source.h"
#include "events/thread_follower.h"
#include "events/thread_registry.h"
#include "profile/profile.h"
#include "session/allocation_account.h"
#include "session/event_columns.h"
#include "session/frame_namer.h"
#include "session/live_profile.h"
#include "session/living_threads.h"
#include "session/log.h"
#include "session/options.h"
#include "session/sample_counts.h"
#include "session/session_mark.h"
#include "session/time_window.h"
#include "session/vm.h"

namespace hearth::session {

class ProfileSession : public std::enable_shared_from_this<ProfileSession> {
 public:
  struct Hooks {
    uint64_t number = 0;  // as number()
    // Called once, on the session's own thread, when options.timeout_ns is over; it must not stop the session itself.
    std::function<void()> on_timeout;
    // The Java threads that live now. Called by start() and on the session's own thread, which is no Java thread.
    std::function<std::vector<LivingThread>()> java_threads;
    std::set<int> excluded{};  // threads that are none of the program's
    // A thread of the session's own begins or ends: other sessions must not sample it either. Any thread.
    std::function<void(int tid, bool begins)> own_thread{};
  };
  // `vm` and `log` outlive the session.
  ProfileSession(Vm* vm, Log* log, const Options& options, Hooks hooks);
  ~ProfileSession();

  // Throws Error with reason and remedy when no engine can run; then the JVM is as before.
  void start();
  void stop();  // idempotent
  bool running() const { return running_; }
  // Of a running session, `event` as event_names() has it: samples no more of it until resume(), while others go on.
  // What there is of it stays. False: it was paused already, or was not.
  bool pause(const std::string& event);
  // Throws Error where it cannot be sampled any more; then it is paused as before.
  bool resume(const std::string& event);
  std::vector<std::string> paused() const;
  // Of the part's events, a line each that was.
  std::vector<std::string> pause_notes(const SessionPart& part) const;
  uint64_t number() const { return hooks_.number; }  // of those that commands are about, from 1; 0: it is none of them

  // To be told from before start() until after stop().
  void thread_started(int tid, std::string name);
  void thread_ended(int tid, std::string name);
  // A thread that is none of the program's, and when it ends: its number may be another's then.
  void exclude(int tid) { follower_->exclude(tid); }
  void include(int tid) { follower_->include(tid); }
  // Of a thread that lives already.
  void name_thread(int tid, std::string name) { follower_->thread_started(tid, std::move(name)); }

  SessionMark mark();
  // Everything sampled from the part's mark until now, named and counted; what is live is all that is. On an attached
  // thread.
  profile::Profile model(JNIEnv* env, const Options& output, const SessionPart& part = {});
  // What lives is not asked for any more, nor at stop(). On an attached thread.
  void forget_living(JNIEnv* env) { live_.forget(env); }
  // But for samples without symbols, which take longer to find.
  profile::Quality quality() const;
  profile::Quality full_quality();
  const Options& options() const { return options_; }
  Options sampled() const;  // of options() what is not paused
  int64_t duration_ns() const;
  uint64_t began_ns() const { return began_ns_; }  // CLOCK_MONOTONIC
  std::string events() const;                      // as asked for: "ctimer", "cpu, wall"
  // What allocation samples stand for until now, lost ones too, and what collections took; cheap. Any thread.
  struct Allocated {
    int64_t bytes = 0;
    int64_t gc_pause_ns = 0;
  };
  Allocated allocated() const;
  // What it takes, in bytes by part: "tree" (stacks), "counts", "ring", "walks", "spans", "threads", "names",
  // "live".
  std::map<std::string, int64_t> memory() const;
  // How many there are so far; after SpanTable::kMost samples have none of their own.
  uint32_t spans() const { return recorder_.spans().used(); }
  // What lost samples stand for, by event, in its unit.
  std::map<std::string, int64_t> lost_weights() const;

 private:
  void start_sources();
  void start_cpu();
  using Maker = std::function<std::unique_ptr<events::EventSource>()>;
  void start_source(const Maker& make, const char* event, int64_t interval);
  events::EventPlan plan_of(size_t number, int64_t interval);
  void follow_threads();
  void start_worker();
  void silence_sources();
  void tell_own_thread(int tid, bool begins) const;
  void stay();
  void end_sampling();
  // When the worker has to do what next (CLOCK_MONOTONIC, ns).
  struct Due {
    uint64_t scan = 0;
    uint64_t libraries = 0;
    uint64_t names = UINT64_MAX;
    uint64_t breakpoints = 0;
    uint64_t timeout = UINT64_MAX;
  };
  void work_once(Due* due);
  void watch_breakpoints(uint64_t now, Due* due);
  bool uses_breakpoints() const;
  void work();
  void drain();
  // One sample of the ring, or the repetition of one during the time that it weighs.
  bool has_counted(const capture::Sample& sample, std::optional<int64_t> repeated);
  void count(const capture::Sample& sample, std::optional<int64_t> repeated);
  void watch_libraries();
  void watch_names();
  bool is_always_open() const { return options_.begin.empty() && options_.end.empty(); }
  int64_t own_cpu_ns() const;
  void add_allocations(profile::Quality* quality) const;
  std::string engine() const;
  EventColumns columns() const;
  int64_t lost_weight(size_t event) const;
  SampleCounts::Count lost_of(size_t event) const;
  std::vector<SampleCounts::Part> counts_of(JNIEnv* env, const SessionPart& part, int64_t* step_ns);
  std::vector<SampleCounts::Count> all_lost() const;  // by event
  void add_lost(const std::vector<SampleCounts::Count>& all, const EventColumns& columns, const SessionPart& part,
                FrameNamer* namer, profile::Profile* profile) const;

  Vm* vm_;
  Log* log_;
  Options options_;
  Hooks hooks_;

  capture::WalkPlan plan_;
  capture::StackTree tree_;
  capture::SampleRing ring_;
  capture::Recorder recorder_;
  capture::FaultHandler faults_;
  TimeWindow window_;
  events::ThreadRegistry registry_;
  // In the order of their event numbers.
  struct Source {
    std::unique_ptr<events::EventSource> source;
    const char* event;
    int64_t interval;           // in the event's unit
    Maker make;                 // another of the same engine
    uint64_t paused_at_ns = 0;  // CLOCK_MONOTONIC; 0: it is not paused
    int64_t paused_ns = 0;      // of pauses that are over
  };
  Source& source_of(const std::string& event);
  void pause_source(Source* one);
  std::vector<int64_t> paused_ns() const;  // by event
  std::vector<Source> sources_;
  std::mutex pauses_mutex_;                                 // the worker looks after the breakpoints of sources
  std::vector<std::unique_ptr<events::EventSource>> held_;  // paused with a thread in their midst
  int64_t replaced_cpu_ns_ = 0;
  bool has_given_up_breakpoints_ = false;  // for good
  std::unique_ptr<events::ThreadFollower> follower_;
  capture::NameTable classes_;
  bool rules_are_mixed_ = false;  // of the unwind rules remembered, some may be of libraries since unloaded
  uint64_t begun_before_ = 0;     // threads, when sampling had begun
  AllocationAccount account_;
  events::CollectionCost collections_;
  LiveProfile live_;
  std::atomic<int> alloc_number_{-1};      // of the alloc event, when there is one
  std::atomic<int64_t> sampled_bytes_{0};  // what the allocation samples in counts_ stand for
  mutable std::mutex notes_mutex_;
  std::vector<std::string> notes_;

  std::atomic<bool> running_{false};
  uint64_t began_ns_ = 0;  // CLOCK_MONOTONIC
  uint64_t ended_ns_ = 0;
  int64_t began_unix_ns_ = 0;

  mutable std::mutex counts_mutex_;  // the worker drains, a dump drains the rest
  SampleCounts counts_;
  std::atomic<uint64_t> crowded_out_{0};  // samples that counts_ had no room for
  std::atomic<int64_t> crowded_out_weight_[capture::kMaxEvents] = {};
  std::atomic<int64_t> crowded_out_objects_[capture::kMaxEvents] = {};

  std::thread worker_;
  std::mutex worker_mutex_;
  std::condition_variable worker_wake_;
  bool worker_ends_ = false;
  std::atomic<int64_t> worker_cpu_ns_{0};
};

}  // namespace hearth::session
