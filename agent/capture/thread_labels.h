// The label set that a thread works under: one number in memory that the thread's Java code writes and its samples
// read.
#pragma once

#include <atomic>
#include <cstdint>

#include "capture/unwind/java_frames.h"
#include "capture/unwind/vm_layout.h"

namespace hearth::capture {

inline constexpr uint32_t kNoLabels = 0;

// Those of the calling thread, or of the virtual thread that it carries. Signal safe, given a FaultHandler.
uint32_t current_labels(const VmLayout& vm, const ThreadAccess& access);

// Where those of the calling thread are, if it is none that carries others: of it alone, and gone with it.
uint32_t* label_cell();

// Those of virtual threads, by Thread.threadId(). Not more than some, so that a signal finds them without a lock; only
// the thread itself takes its cell, writes it and gives it back.
class VirtualLabels {
 public:
  static constexpr uint32_t kMost = 1 << 16;  // at one time

  // Holds no labels; null: there is no room, or the thread has one.
  uint32_t* take_cell(uint64_t thread);
  void give_back(uint64_t thread);
  uint32_t of(uint64_t thread) const;  // signal safe
  bool any() const { return taken_.load(std::memory_order_relaxed) > 0; }

 private:
  static constexpr uint32_t kProbes = 16;
  struct Cell {
    std::atomic<uint64_t> thread;  // 0: free
    uint32_t labels;
  };
  uint32_t index_of(uint64_t thread) const;  // kMost: it has none

  Cell cells_[kMost];
  std::atomic<uint32_t> taken_;
};

// All zero from the start, without a constructor that runs.
extern VirtualLabels g_virtual_labels;

}  // namespace hearth::capture
