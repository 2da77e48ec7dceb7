// One sample, from register state to ring. Everything here is called inside signal handlers, and where the JVM calls,
// but for the constructor.
#pragma once

#include <ucontext.h>

#include <atomic>
#include <cstdint>

#include "capture/comparison.h"
#include "capture/sample_window.h"
#include "capture/store/sample_ring.h"
#include "capture/store/scratch_pool.h"
#include "capture/store/span_table.h"
#include "capture/store/stack_tree.h"
#include "capture/store/time_histogram.h"
#include "capture/thread_slot.h"
#include "capture/unwind/stack_walk.h"

namespace hearth::capture {

constexpr int kMaxEvents = 4;  // of one session

// Counters are sums over all threads since the session's start; read them any time.
struct RecorderCounters {
  std::atomic<uint64_t> samples{0};
  std::atomic<uint64_t> lost{0};
  std::atomic<int64_t> lost_weight[kMaxEvents] = {};  // by event, in its unit
  std::atomic<int64_t> lost_objects[kMaxEvents] = {};
  std::atomic<uint64_t> java_samples{0};
  std::atomic<uint64_t> whole{0};  // of java_samples
  std::atomic<uint64_t> recovered{0};
  std::atomic<uint64_t> truncated{0};
  std::atomic<uint64_t> root_missing{0};  // of all samples
  std::atomic<uint64_t> natives_missing{0};
  std::atomic<uint64_t> failures[static_cast<int>(Marker::kCount)] = {};
  std::atomic<uint64_t> torn_spans{0};  // samples between two spans, whose ids were not those of one
  std::atomic<uint64_t> handled{0};     // samples that were walked, stored or not
  // CPU time, measured on one of so many handled samples (Occasion) each: the clock that does not run while the thread
  // waits for a processor is a system call.
  std::atomic<uint64_t> walk_ns{0};
  std::atomic<uint64_t> handler_ns{0};
  TimeHistogram walk_times;  // what walk_ns is the sum of
  TimeHistogram handler_times;
};

inline constexpr uint64_t kMeasureEvery = 8;

// What one sample stands for.
struct Occasion {
  uint64_t entered_ns = 0;  // CLOCK_MONOTONIC, when its handler began
  int64_t weight = 0;       // in the event's unit
  uint16_t event = 0;
  uint16_t state = 0;           // as in Sample
  uint64_t entered_cpu_ns = 0;  // the thread's CPU clock then; 0: its handler did not read it
  double objects = 0;           // as in Sample
  bool is_tried_again = false;  // when it cannot be stored, so that nothing is lost
  uint64_t measure_every = kMeasureEvery;
};

class Recorder {
 public:
  static constexpr uint32_t kRoom = 1024;  // as many threads may come at once

  // All three outlive the recorder.
  Recorder(const WalkPlan* plan, StackTree* tree, SampleRing* ring) : plan_(plan), tree_(tree), ring_(ring) {}

  // Walks and stores the interrupted thread's stack. `slot.kernel_ring` is not touched: its frames come as `kernel`,
  // `kernel_count` of them. Never fails: what cannot be stored is counted as lost, what is not
  // wanted is not counted.
  Recorded record(const ucontext_t* interrupted, ThreadSlot* slot, const Occasion& occasion, const Frame* kernel,
                  uint32_t kernel_count);

  // The same for a call of the JVM's that Java's own doing led to: the stack from the last Java frame outwards, below
  // `innermost`. `called`: the registers of a breakpoint that was met; null: the caller's own, on an ordinary thread's
  // own stack and not in a signal.
  Recorded record_call(ThreadSlot* slot, const Occasion& occasion, Frame innermost, const ucontext_t* called = nullptr);

  // Whether samples of this thread are wanted now. Any thread; for sources that store samples themselves.
  bool records(const ThreadSlot& slot) const {
    return window_is_open() && !slot.left_out.load(std::memory_order_relaxed);
  }

  // Counts `count` more samples like one recorded before, which somebody else stores. Any thread.
  void count_again(const Recorded& recorded, uint64_t count);

  // Whether a good many more samples can be stored. Any thread.
  bool takes_more() const { return ring_->has_room(kRoom); }

  bool ok() const { return scratch_.ok(); }  // false: there was no memory
  const RecorderCounters& counters() const { return counters_; }
  const Comparison& comparison() const { return comparison_; }
  const SpanTable& spans() const { return spans_; }
  // Of what was reserved, to be measured.
  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    scratch_.visit_memory(visit);
  }

 private:
  // What the thread's last walk left for the next one.
  struct Memories {
    StackMemory* stack;
    RootMemory* roots;
  };

  Recorded record_from(const WalkStart& start, const Memories& memories, ThreadSlot* slot, const Occasion& occasion,
                       WalkScratch* scratch);
  WalkResult walk(const WalkStart& start, const Memories& memories, WalkScratch* scratch, bool measured);
  uint32_t store(const WalkResult& result, WalkScratch* scratch);
  void count(const WalkResult& result);
  uint16_t span_of_thread();
  void lose(const Occasion& occasion);
  uint32_t put_innermost(const ucontext_t* interrupted, const Frame* kernel, uint32_t kernel_count, Frame* frames);
  void shorten(WalkResult* result, Frame* frames);

  const WalkPlan* plan_;
  StackTree* tree_;
  SampleRing* ring_;
  ScratchPool scratch_;
  SpanTable spans_;
  RecorderCounters counters_;
  Comparison comparison_;
};

// CLOCK_MONOTONIC, by the vdso.
uint64_t now_ns();

// The calling thread's CPU clock.
uint64_t thread_cpu_ns();

}  // namespace hearth::capture
