// What the signal path knows of one thread while a session runs. Made by the session's side before the thread's event
// is opened; after that only the thread itself writes, inside its own signals, but for `left_out`. Plain data, and none
// when all zero.
#pragma once

#include <atomic>
#include <cstdint>

#include "capture/frame.h"
#include "capture/unwind/root_memory.h"

namespace hearth::capture {

struct ThreadSlot {
  static constexpr uint32_t kRemembered = 256;

  uint32_t serial = 0;          // unique in the session, unlike the tid
  std::atomic<int32_t> tid{0};  // 0: the slot is free
  int fd = -1;                  // perf event, -1 for timers
  void* kernel_ring = nullptr;  // first page, null when there is none
  bool in_first_period = true;  // of a perf event
  // Not among the threads that are sampled now: its signals go on, so that its clock does, and record nothing.
  std::atomic<bool> left_out{false};
  uint64_t last_count = 0;  // the thread's CPU clock (ns) at the last sample

  // Outer part of the thread's last stack, outermost first: what did not change since is a node already.
  uint32_t remembered = 0;
  struct Remembered {
    Frame frame;
    uint32_t node;
  } stack[kRemembered];

  RootMemory roots;
};

}  // namespace hearth::capture
