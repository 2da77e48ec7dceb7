// State of one thread in the signal path during a session. The session creates it before it opens the thread's event;
// afterwards only the thread itself writes, inside its own signals, except `left_out`. Plain data, empty when all zero.
#pragma once

#include <atomic>
#include <cstdint>

#include "capture/labels/thread_spans.h"
#include "capture/unwind/root_cache.h"
#include "capture/unwind/stack_cache.h"

namespace hearth::capture {

// The stored result of a sample.
struct Recorded {
  uint32_t stack = UINT32_MAX;  // StackTree node; StackTree::kFull: it was lost
  uint16_t labels = 0;          // as in Sample
  uint16_t span = 0;            // as in Sample
  bool has_java = false;
  bool whole = false;
};

// Allocation counters when the JVM last reported an object of the thread; all zero: it reported none.
struct AllocationMark {
  int64_t bytes = 0;    // allocated by the thread
  uintptr_t tlab = 0;   // start of its TLAB
  uintptr_t top = 0;    // end of the used part of its TLAB
  int64_t counter = 0;  // the JVM's, as last seen by a TLAB hook: it only increases
};

// Next sample point of the thread, if hearth draws the points.
struct OwnPoints {
  bool have_begun = false;
  int64_t bytes = 0;     // allocated by the thread when the JVM last reported one of its objects
  int64_t distance = 0;  // from there, in bytes
  int64_t missed = 0;    // points in objects that the JVM did not report
  uint64_t random = 0;   // state of the random numbers
};

// The system call that a thread was just seen in, from /proc.
struct ObservedCall {
  int number;  // negative: none
  uintptr_t argument;
  uintptr_t sp;
};

// A lock that a thread waits for, and what the JVM has as its owner (LockHolderLayout).
struct LockWait {
  uintptr_t lock_class = 0;  // Klass*, 0: unknown
  uintptr_t owner = 0;       // 0: none, or not known
  uintptr_t object = 0;      // of a monitor: where the lock was when this was read
  bool is_monitor = false;

  bool is_wait() const { return is_monitor || owner != 0; }
};

// Request of the wall clock to the thread and its response. The sampler's thread writes while both sequence numbers are
// equal, the thread itself, in its signal, while they differ. Only the sampler writes `request_seq`, only the thread
// `response_seq`.
struct WallRequest {
  std::atomic<uint32_t> request_seq;
  std::atomic<uint32_t> response_seq;
  uint64_t until_ns;  // the thread's time is counted until then (CLOCK_MONOTONIC)

  // Part of the request.
  ObservedCall observed;
  uint16_t state_outside_calls;  // the thread's state if it is in no system call

  // Part of the response.
  uint16_t state;
  Recorded recorded;
  int call_number;
  uintptr_t call_argument;
  uintptr_t sp;
  const uint32_t* labels;  // address of the thread's own number while it is a Java thread; else null
  const SpanCell* span;    // the same for its span
  uint64_t span_check;     // checksum of that span
  uintptr_t context;       // address of the thread's context by another agent (foreign_context.h); 0: none
  uint64_t context_check;  // its check_of()
  uintptr_t java_thread;   // its JavaThread*, 0: none
  LockWait lock;           // read if the session asks for holders
};

struct ThreadSlot {
  uint32_t serial = 0;          // unique in the session, unlike the tid
  std::atomic<int32_t> tid{0};  // 0: the slot is free
  bool is_adopted = false;      // taken inside a handler

  std::atomic<uint32_t> next_free{0};  // list of free slots, for SlotTable
  // The thread is not sampled now: its signals continue, so that its clock does, but record nothing.
  std::atomic<bool> left_out{false};
  uint64_t last_count = 0;  // the thread's CPU clock (ns) at the last sample

  uint64_t throttled_until = 0;  // no walk before this time of the thread's CPU clock; 0: its walks are short enough

  AllocationMark allocated;
  OwnPoints own_points;
  bool sample_point_known = false;  // the thread's next sample point in this session is valid
  // The thread walks its own stack in a callback: a signal handler must not use the caches meanwhile.
  std::atomic<bool> in_callback_walk{false};
  // Null without memory: then every walk goes to the root.
  StackCache* stack_cache = nullptr;
  RootCache root_cache;
  WallRequest wall;
};

}  // namespace hearth::capture
