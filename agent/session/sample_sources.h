// The sources of a session's samples, one for each event, with the threads that they follow: start, pause, resume and
// stop. A resumed event gets a new source of the same engine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "events/event_source.h"
#include "events/threads/thread_follower.h"
#include "session/session_notes.h"

namespace hearth::session {

class SampleSources {
 public:
  using Maker = std::function<std::unique_ptr<events::EventSource>()>;
  // An event to sample. `makers`: its engines by preference, at least one.
  struct Spec {
    std::string event;
    int64_t interval;  // in the event's unit
    std::vector<Maker> makers;
  };
  struct Source {
    std::unique_ptr<events::EventSource> source;
    std::string event;
    int64_t interval;
    Maker make;                 // makes another of the same engine
    uint64_t paused_at_ns = 0;  // CLOCK_MONOTONIC; 0: not paused
    int64_t paused_ns = 0;      // total of the pauses that are over
  };
  struct Hooks {
    std::function<events::EventPlan(size_t number, int64_t interval)> plan_of;
    std::function<void(int tid, bool begins)> own_thread;  // called when a source's own thread begins or ends
    std::function<void()> on_held_thread;                  // called when a thread is suspended inside a handler
  };

  // `notes` outlive the sources.
  SampleSources(Hooks hooks, SessionNotes* notes) : hooks_(std::move(hooks)), notes_(notes) {}

  // Starts the first engine that can run here; the event's number is the count of sources so far. Returns the reasons
  // of those that could not. Throws Error when none can, and NoFreeSignal as soon as one has no signal.
  std::vector<std::string> start(const Spec& spec);
  // Follows threads from now on, except the `excluded`. `registry` and `filter` outlive the sources.
  void follow(events::ThreadRegistry* registry, const options::ThreadFilter* filter, const std::set<int>& excluded);
  // Stops the sources that are not paused and follows no thread any more.
  void stop();

  // Throws Error when the session does not sample the event.
  bool is_paused(const std::string& event) { return source_of(event).paused_at_ns != 0; }
  // Takes no more samples of the event until resume(). False: it was paused already. Throws Error as is_paused().
  bool pause(const std::string& event);
  // False: it was not paused. Throws Error when it cannot be sampled any more; then it stays paused.
  bool resume(const std::string& event);

  // By event number.
  const std::vector<Source>& all() const { return sources_; }
  // Null before follow().
  events::ThreadFollower* follower() const { return follower_.get(); }
  std::vector<std::string> paused() const;
  // Total of the pauses by event, up to `until_ns` (CLOCK_MONOTONIC).
  std::vector<int64_t> paused_ns(uint64_t until_ns) const;
  std::string engine() const;  // "perf_events and SampledObjectAlloc"
  // Calls the JVM, which may make it wait: only a pause or a resume waits for that as well.
  std::vector<events::CallCounts> call_counts() const;
  std::optional<events::MadeExceptions> exceptions() const;
  int64_t own_cpu_ns() const;  // CPU time of own threads of sources, replaced ones included
  // Calls visit(source) for those that are not paused. It may wait for the JVM: only a pause or a resume waits for it.
  void visit_running(const std::function<void(events::EventSource*)>& visit);
  // Passes on the samples that sources have counted themselves.
  void flush() const;

  // While the lock is held no source is paused or resumed.
  std::unique_lock<std::mutex> lock_pauses() { return std::unique_lock<std::mutex>(pauses_mutex_); }
  // Both under lock_pauses().
  bool use_breakpoints() const;
  // Removes the breakpoints of all sources. True: at least one had some.
  bool remove_breakpoints();
  // From now on no source with breakpoints is resumed.
  void forbid_breakpoints() { breakpoints_forbidden_ = true; }

 private:
  Source& source_of(const std::string& event);
  void pause_source(Source* one);
  void announce_own_thread(int tid, bool begins) const;
  void stop_source(Source* one);

  const Hooks hooks_;
  SessionNotes* notes_;
  std::vector<Source> sources_;
  std::unique_ptr<events::ThreadFollower> follower_;
  std::mutex visits_mutex_;          // taken before counts_mutex_; sources are paused and replaced under it as well
  mutable std::mutex counts_mutex_;  // taken before pauses_mutex_; sources are replaced under both
  mutable std::mutex pauses_mutex_;
  std::vector<std::unique_ptr<events::EventSource>> retained_sources_;  // replaced, with a thread inside a handler
  int64_t replaced_cpu_ns_ = 0;
  bool breakpoints_forbidden_ = false;
};

}  // namespace hearth::session
