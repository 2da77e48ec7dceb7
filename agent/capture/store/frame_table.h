// The distinct frames of a session, each stored once: stacks refer to them by number. number() is signal safe and lock
// free; grow() and the destructor are for one ordinary thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/owned.h"
#include "capture/frame.h"
#include "capture/store/signal_index.h"

namespace hearth::capture {

class FrameTable {
 public:
  static constexpr uint32_t kNone = 0;

  // At most `max_frames` frames of 16 bytes.
  explicit FrameTable(uint32_t max_frames);

  bool ok() const { return max_frames_ > 0 && index_.ok(); }

  // Returns kNone if the table is full.
  uint32_t number(Frame frame);

  // `number`: returned by number().
  const Frame& frame(uint32_t number) const { return frames_[number]; }

  // Visits the reserved memory, for measurements.
  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    visit(memory_);
    index_.visit_memory(visit);
  }

  void grow();

 private:
  uint32_t make(Frame frame);
  uint32_t end() const;

  Mapping memory_;
  Frame* frames_ = nullptr;
  uint32_t max_frames_;
  uint32_t touched_ = 0;
  std::atomic<uint32_t> next_{1};
  SignalIndex index_;
};

}  // namespace hearth::capture
