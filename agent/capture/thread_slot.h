// What the signal path knows of one thread while a session runs. Made by the session's side before the thread's event
// is opened; after that only the thread itself writes, inside its own signals, but for `left_out`. Plain data, and none
// when all zero.
#pragma once

#include <atomic>
#include <cstdint>

#include "capture/labels/thread_spans.h"
#include "capture/unwind/root_memory.h"
#include "capture/unwind/stack_memory.h"

namespace hearth::capture {

// What became of a sample.
struct Recorded {
  uint32_t stack = UINT32_MAX;  // StackTree node; StackTree::kFull: it was lost
  uint16_t labels = 0;          // as in Sample
  uint16_t span = 0;            // the same
  bool has_java = false;
  bool whole = false;
};

// How far the thread's allocations had come when the JVM last showed one of its objects; all zero: it never did.
struct AllocationMark {
  int64_t bytes = 0;    // that the thread had allocated
  uintptr_t tlab = 0;   // where its TLAB began
  uintptr_t top = 0;    // and had come to
  int64_t counter = 0;  // the JVM's, as a TLAB hook last saw it: it only grows
  int64_t point = 0;    // what the JVM's sampler drew then, if that is where it keeps it
};

// Where hearth samples the thread's allocations next, where it draws that itself.
struct OwnPoints {
  bool have_begun = false;
  int64_t bytes = 0;     // that the thread had allocated when the JVM last showed one of its objects
  int64_t distance = 0;  // from there, in bytes
  int64_t missed = 0;    // points in objects that the JVM did not show
  uint64_t random = 0;   // state of the random numbers
};

// The wall clock's correspondence with the thread: the sampler's thread writes while `answered` is `asked`, the thread
// itself, in its signal, while it is not. `asked` is the sampler's alone, `answered` the thread's.
struct WallSlot {
  std::atomic<uint32_t> asked;
  std::atomic<uint32_t> answered;
  uint64_t until_ns;  // the thread's time is counted until then (CLOCK_MONOTONIC)

  // With the question.
  int looked_up;                 // number of the system call that the thread was just seen in; negative: none
  uintptr_t looked_up_sp;        // and where its stack was
  uint16_t state_outside_calls;  // what to say when it is in none

  // With the answer.
  uint16_t state;
  Recorded recorded;
  int call_number;
  uintptr_t call_argument;
  uintptr_t sp;
  const uint32_t* labels;  // where the thread's own are, as long as it is a Java thread; else null
  const SpanCell* span;    // the same
  uint64_t span_check;     // what was in it
};

struct ThreadSlot {
  uint32_t serial = 0;          // unique in the session, unlike the tid
  std::atomic<int32_t> tid{0};  // 0: the slot is free
  int fd = -1;                  // perf event, -1 for timers
  void* kernel_ring = nullptr;  // first page, null when there is none
  bool in_first_period = true;  // of a perf event
  bool is_adopted = false;      // taken inside a handler

  std::atomic<uint32_t> next_free{0};  // of a free slot, the ThreadRegistry's
  // Not among the threads that are sampled now: its signals go on, so that its clock does, and record nothing.
  std::atomic<bool> left_out{false};
  uint64_t last_count = 0;  // the thread's CPU clock (ns) at the last sample

  uint64_t rests_until = 0;  // by the thread's CPU clock: no walk before; 0 when its walks are short enough

  AllocationMark allocated;
  OwnPoints own_points;
  bool drew_sample_point = false;  // where its next sampled allocation is, in this session
  // The thread itself asked for its stack: what a signal finds meanwhile must not use what follows.
  std::atomic<bool> walks_for_call{false};
  // Null where there was no memory: then every walk goes to the root.
  StackMemory* memory = nullptr;
  RootMemory roots;
  WallSlot wall;
};

}  // namespace hearth::capture
