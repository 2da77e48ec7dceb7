// Asks threads for their stacks by a signal, and compares where they are with where they answered. The protocol is in
// wall_answer.h. For one thread at a time.
#pragma once

#include <cstdint>

#include "events/event_source.h"
#include "events/handlers/wall_handler.h"
#include "events/profiling_signal.h"
#include "events/threads/task_files.h"
#include "events/threads/withheld_time.h"
#include "events/wall/watched_thread.h"

namespace hearth::events {

class WallRequests {
 public:
  // `reads_locks`: as of WallSampling.
  WallRequests(const JavaThreadView& java, bool reads_locks) {
    sampling_.java = java;
    sampling_.reads_locks = reads_locks;
  }

  // Takes a signal; throws NoFreeSignal. withdraw(): no handler runs any more; release() gives the signal back.
  void begin(const EventPlan& plan);
  void withdraw();
  void release() { signal_.release(); }

  capture::ThreadSlot* slots() const { return sampling_.table->slots(); }
  const TaskFiles& files() const { return files_; }
  // What is withheld of the threads' time, as far as it is known.
  void set_withheld(const WithheldSums& withheld) { withheld_ = withheld; }
  const WithheldSums& withheld() const { return withheld_; }
  int signal() const { return signal_.number(); }
  uint32_t refused() const { return sampling_.refused.load(std::memory_order_relaxed); }  // as of WallSampling

  // `cpu_ns`: the CPU time of the thread at this visit.
  void send(capture::ThreadSlot* slot, WatchedThread* watched, int64_t cpu_ns);
  // False: the signal cannot be sent.
  bool send_signal(const capture::ThreadSlot& slot) const;
  static bool is_unanswered(const capture::WallRequest& wall);
  static void cancel(capture::WallRequest* wall);

  // True if the thread is in the system call of its answer, with the stack of then.
  bool is_where_it_answered(const capture::ThreadSlot& slot) const;
  // True if a blocked thread is blocked as before.
  bool has_stayed(const capture::ThreadSlot& slot, WatchedThread* watched, int64_t cpu_ns) const;

 private:
  bool is_still_there(const capture::ThreadSlot& slot, WatchedThread* watched) const;
  bool has_only_answered(const capture::ThreadSlot& slot, WatchedThread* watched, int64_t cpu_ns) const;

  ProfilingSignal signal_;
  WallSampling sampling_;
  TaskFiles files_;
  WithheldSums withheld_;
};

}  // namespace hearth::events
