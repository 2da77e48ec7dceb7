// Records one sample, from the registers to the ring. Signal safe, except the constructor; also called outside signals,
// in callbacks of the JVM.
#pragma once

#include <ucontext.h>

#include <atomic>
#include <cstdint>
#include <optional>

#include "capture/arch/protection_keys.h"
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

constexpr int kMaxEvents = 16;  // in one session

// Sums over all threads since the session's start; readable at any time.
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
  std::atomic<uint64_t> torn_spans{0};  // samples taken while the span was being changed
  std::atomic<uint64_t> handled{0};     // samples that were walked, stored or not
  // CPU time, measured on one of measure_every handled samples (SampleInfo): the clock that stops while the thread
  // waits for a processor is a system call.
  std::atomic<uint64_t> walk_ns{0};
  std::atomic<uint64_t> handler_ns{0};
  TimeHistogram walk_times;  // of the times that walk_ns sums
  TimeHistogram handler_times;
};

inline constexpr uint64_t kMeasureEvery = 8;

// Another thread, whose stack comes further out in a sample, which counts as that thread's.
struct OuterThread {
  uint32_t serial = 0;  // 0: unknown, and the sample counts as that of the thread further in
  Recorded recorded;
  Frame border{};  // between the two stacks
};

// Properties of one sample except its stack.
struct SampleInfo {
  uint64_t entered_ns = 0;  // CLOCK_MONOTONIC at the begin of the handler
  int64_t weight = 0;       // in the event's unit
  uint16_t event = 0;
  uint16_t state = 0;           // as in Sample
  uint64_t entered_cpu_ns = 0;  // the thread's CPU clock at the same time; 0: not read
  double objects = 0;           // as in Sample
  uintptr_t address = 0;        // as in Sample
  int64_t bytes = 0;            // as in Sample
  bool will_retry = false;      // a failure to store it is not counted as lost
  uint8_t hooks = 0;            // innermost Java frames that are left out
  std::optional<Frame> leaf{};  // in their place, and in that of natives that called them
  uint64_t measure_every = kMeasureEvery;
  const OuterThread* outer = nullptr;
  // Of the virtual thread that this one carries: without the carrier's frames, and as no thread's.
  bool is_virtual = false;
  bool is_stack_only = false;  // no sample is stored: the stack is for one of another thread
};

class Recorder {
 public:
  static constexpr uint32_t kReservedSamples = 1024;  // samples that other threads may add at the same time

  // All three arguments outlive the recorder.
  Recorder(const WalkPlan* plan, StackTree* tree, SampleRing* ring) : plan_(plan), tree_(tree), ring_(ring) {}

  // Walks and stores the interrupted thread's stack. `kernel`: its `kernel_count` kernel frames. Never
  // fails: counts a sample that cannot be stored as lost, and does not count one that records()
  // refuses.
  Recorded record(const ucontext_t* interrupted, ThreadSlot* slot, const SampleInfo& info, const Frame* kernel,
                  uint32_t kernel_count);

  // The same in a call of the JVM that Java code caused: stores the stack from the last Java frame outwards, below
  // `innermost`, if given. `called`: the registers at a breakpoint; null: takes the caller's own, which must be on an
  // ordinary thread's own stack, outside signals.
  Recorded record_call(ThreadSlot* slot, const SampleInfo& info, std::optional<Frame> innermost,
                       const ucontext_t* called = nullptr);

  // The same in a native function that native code called: stores the stack from the caller outwards, below the
  // function `called`; 0: without it.
  Recorded record_native_call(ThreadSlot* slot, const SampleInfo& info, uintptr_t called);

  // Reports the release of sampled native memory. `thread`: the serial number of the one that releases it. False: there
  // is no space.
  bool record_release(uint32_t thread, uint16_t event, uintptr_t address);

  // True if samples of this thread are recorded now. Any thread; for sources that store samples themselves.
  bool records(const ThreadSlot& slot) const {
    return window_is_open() && !slot.left_out.load(std::memory_order_relaxed);
  }

  bool records(const ThreadSlot& slot, const SampleInfo& info) const {
    return window_has(info.entered_ns) && !slot.left_out.load(std::memory_order_relaxed);
  }

  // Counts `count` more samples like an earlier one, which the caller stores. Any thread.
  void count_again(const Recorded& recorded, uint64_t count);

  // True if at least kReservedSamples more samples can be stored. Any thread.
  bool has_space() const { return ring_->has_space(kReservedSamples); }

  bool ok() const { return scratch_.ok(); }  // false: there was no memory
  const RecorderCounters& counters() const { return counters_; }
  const Comparison& comparison() const { return comparison_; }
  const SpanTable& spans() const { return spans_; }
  // Visits the reserved memory, for measurements.
  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    scratch_.visit_memory(visit);
  }

 private:
  // Results of the thread's earlier walks.
  struct WalkCaches {
    StackCache* stack;
    RootCache* roots;
  };

  Recorded record_in_callback(const WalkStart& start, ThreadSlot* slot, const SampleInfo& info, WalkScratch* scratch);
  Recorded record_from(const WalkStart& start, const WalkCaches& caches, ThreadSlot* slot, const SampleInfo& info,
                       WalkScratch* scratch);
  WalkResult walk(const WalkStart& start, const WalkCaches& caches, WalkScratch* scratch, bool measured);
  uint32_t store(const WalkResult& result, WalkScratch* scratch);
  uint32_t without_hooks(uint32_t stack, const SampleInfo& info) const;
  // The nearest Java frame: the JVM's own between it and what it calls are left out. `stack` itself, if there is none.
  uint32_t java_caller(uint32_t stack) const;
  void count(const WalkResult& result);
  void add_context(Sample* sample, const SampleInfo& info);
  void count_lost(const SampleInfo& info);
  uint32_t put_innermost(const ucontext_t* interrupted, const Frame* kernel, uint32_t kernel_count, Frame* frames);
  void truncate_stack(WalkResult* result, Frame* frames);

  const WalkPlan* plan_;
  StackTree* tree_;
  SampleRing* ring_;
  ScratchPool scratch_;
  SpanTable spans_;
  RecorderCounters counters_;
  Comparison comparison_;
  bool uses_keys_ = uses_protection_keys();
};

// Returns CLOCK_MONOTONIC, by the vdso.
uint64_t now_ns();

// Returns the calling thread's CPU clock.
uint64_t thread_cpu_ns();

}  // namespace hearth::capture
