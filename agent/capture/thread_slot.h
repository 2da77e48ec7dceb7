// What the signal path knows of one thread while a session runs. Made by the session's side before the thread's event is opened;
// after that only the thread itself writes, inside its own signals. Plain data.
#pragma once

#include <atomic>
#include <cstdint>

#include "capture/frame.h"

namespace hearth::capture {

struct ThreadSlot {
  static constexpr uint32_t kRemembered = 256;

  uint32_t serial = 0;  // unique in the session, unlike the tid
  int32_t tid = 0;
  int fd = -1;                  // perf event, -1 for timers
  void* kernel_ring = nullptr;  // first page, null when there is none
  uint64_t last_count = 0;      // the CPU clock (ns) at the last sample; see the engine for which clock
  std::atomic<int64_t> sampled{0};  // sum of weights

  // Outer part of the thread's last stack, outermost first: what did not change since is a node already.
  uint32_t remembered = 0;
  struct Remembered {
    Frame frame;
    uint32_t node;
  } stack[kRemembered];

  // Natives below the outermost Java frame in the last whole stack, outermost last, and that Java frame's method.
  static constexpr uint32_t kRoots = 24;
  uint32_t root_count = 0;
  uint64_t root_method = 0;
  Frame roots[kRoots];
};

}  // namespace hearth::capture
