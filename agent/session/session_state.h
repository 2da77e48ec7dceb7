// Everything that a session samples with and has sampled, for its readers. Reads come under one of the agent's locks,
// while ProfileSession changes it under both; options() and running() may be called by any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/log.h"
#include "options/options.h"
#include "session/capture_state.h"
#include "session/counting/allocation_totals.h"
#include "session/counting/live_profile.h"
#include "session/counting/living_threads.h"
#include "session/counting/sample_counter.h"
#include "session/sample_sources.h"
#include "session/sample_stream.h"
#include "session/session_notes.h"
#include "session/session_worker.h"
#include "session/time_window.h"
#include "vm/vm.h"

namespace hearth::session {

class SessionState {
 public:
  struct Hooks {
    uint64_t number = 0;  // as ProfileSession::number()
    // Called once, on the session's own thread, after options.timeout_ns or loop_ns; must not stop the session itself.
    std::function<void()> on_timeout;
    // Lists the living Java threads. Called by start() and on the session's own thread, which is no Java thread.
    std::function<std::vector<LivingThread>()> java_threads;
    std::set<int> excluded{};  // threads that do not belong to the program
    // Called when a thread of the session's own begins or ends: no session samples it. Any thread.
    std::function<void(int tid, bool begins)> own_thread{};
    // Makes the receiver of all samples; null, or returns null: there is none. Called by start(), which throws what it
    // throws.
    std::function<std::unique_ptr<SampleStream>(SessionState* session)> stream{};
    // A session that has just ended: start() goes on with its native memory, as far as both follow it. Null: none.
    const SessionState* before = nullptr;
  };
  // Bytes that allocation samples represent, lost ones included, and the pauses of collections.
  struct Allocated {
    int64_t bytes = 0;
    int64_t gc_pause_ns = 0;
  };

  // `vm` and `log` outlive the session.
  SessionState(vm::Vm* vm, Log* log, const options::Options& options, Hooks hooks,
               std::function<void()> on_held_thread);
  SessionState(const SessionState&) = delete;
  SessionState& operator=(const SessionState&) = delete;

  const options::Options& options() const { return options_; }
  options::Options sampled() const;  // options() without the paused events
  std::string events() const;        // as in the start command: "ctimer", "cpu, wall"
  bool running() const { return running_; }
  std::vector<std::string> paused() const;         // events; none of a stopped session
  std::vector<int64_t> paused_ns() const;          // total of the pauses by event
  uint64_t began_ns() const { return began_ns_; }  // CLOCK_MONOTONIC
  int64_t began_unix_ns() const { return began_unix_ns_; }
  int64_t duration_ns() const;

  Allocated allocated() const;
  const AllocationTotals& allocations() const { return allocations_; }
  uint64_t threads_begun() const { return capture_.registry.begun() - begun_before_; }
  // CPU time of the profiling: handlers, worker, sources and commands. Only a part of the handlers is measured.
  int64_t own_cpu_ns() const;
  // Resident bytes by part: "tree" (stacks), "counts", "ring", "walks", "spans", "threads", "names", "live".
  std::map<std::string, int64_t> memory() const;
  std::vector<std::string> notes() const { return notes_.all(); }
  // Problems with following threads and with begin= and end=, one line each.
  std::vector<std::string> troubles() const;

  vm::Vm* vm() const { return vm_; }
  Log* log() const { return log_; }
  const CaptureState& capture() const { return capture_; }
  SampleCounter* counter() { return &counter_; }
  const SampleCounter& counter() const { return counter_; }
  const SampleSources& sources() const { return sources_; }
  LiveProfile* live() { return &live_; }
  const LiveProfile& live() const { return live_; }

 protected:
  vm::Vm* vm_;
  Log* log_;
  options::Options options_;
  Hooks hooks_;
  SessionNotes notes_;
  CaptureState capture_;
  SampleCounter counter_;
  TimeWindow window_;
  SampleSources sources_;
  AllocationTotals allocations_;
  LiveProfile live_;
  std::unique_ptr<SampleStream> stream_;
  SessionWorker worker_;
  std::atomic<int64_t> commands_cpu_ns_{0};
  uint64_t begun_before_ = 0;  // threads that had begun when sampling began
  std::atomic<bool> running_{false};
  uint64_t began_ns_ = 0;  // CLOCK_MONOTONIC
  uint64_t ended_ns_ = 0;
  int64_t began_unix_ns_ = 0;
};

}  // namespace hearth::session
