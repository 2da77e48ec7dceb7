// A cell of data for each virtual thread, by Thread.threadId(). The number of cells is fixed, so that a signal handler
// finds them without a lock; only the thread itself takes its cell, writes it and returns it.
#pragma once

#include <atomic>
#include <cstdint>

namespace hearth::capture {

// Valid when all zero, without a constructor that runs. `Content`: plain data, empty when all zero.
template <typename Content>
class VirtualCells {
 public:
  static constexpr uint32_t kMost = 1 << 16;  // at one time

  // Returns an empty cell; null: there is no free one, or the thread has one.
  Content* take_cell(uint64_t thread) {
    if (thread == 0 || index_of(thread) != kMost) return nullptr;
    for (uint64_t probe = 0; probe < kProbes; probe++) {
      Cell* cell = &cells_[(thread + probe) % kMost];
      uint64_t nobody = 0;
      if (!cell->thread.compare_exchange_strong(nobody, thread, std::memory_order_acq_rel)) continue;
      taken_.fetch_add(1, std::memory_order_relaxed);
      return &cell->content;
    }
    return nullptr;
  }

  void give_back(uint64_t thread) {
    uint32_t index = index_of(thread);
    if (index == kMost) return;
    cells_[index].content = Content();
    cells_[index].thread.store(0, std::memory_order_release);
    taken_.fetch_sub(1, std::memory_order_relaxed);
  }

  // of() and any() are signal safe.
  Content of(uint64_t thread) const {
    uint32_t index = index_of(thread);
    return index == kMost ? Content() : cells_[index].content;
  }
  bool any() const { return taken_.load(std::memory_order_relaxed) > 0; }

 private:
  static constexpr uint32_t kProbes = 16;
  struct Cell {
    std::atomic<uint64_t> thread;  // 0: free
    Content content;
  };

  // Returns kMost if the thread has no cell. Numbers are assigned in order, so living threads are neighbours. Returned
  // cells leave holes, so a search does not end at a free cell.
  uint32_t index_of(uint64_t thread) const {
    for (uint64_t probe = 0; thread != 0 && probe < kProbes; probe++) {
      uint64_t at = (thread + probe) % kMost;
      if (cells_[at].thread.load(std::memory_order_relaxed) == thread) return static_cast<uint32_t>(at);
    }
    return kMost;
  }

  Cell cells_[kMost];
  std::atomic<uint32_t> taken_;
};

}  // namespace hearth::capture
