#include "capture/store/frame_table.h"

#include <algorithm>

namespace hearth::capture {
namespace {

constexpr uint32_t kFramesAhead = 1 << 12;

uint32_t hash_of(Frame frame) {
  uint64_t h = (frame.value ^ static_cast<uint64_t>(frame.detail) << 32) * 0x9e3779b97f4a7c15ULL;
  h ^= h >> 29;
  h *= 0xbf58476d1ce4e5b9ULL;
  return static_cast<uint32_t>(h >> 32);
}

}  // namespace

FrameTable::FrameTable(uint32_t max_frames)
    : memory_(Mapping::reserved(size_t{max_frames} * sizeof(Frame))),
      frames_(memory_.as<Frame>()),
      max_frames_(frames_ != nullptr ? max_frames : 0) {
  grow();
}

uint32_t FrameTable::make(Frame frame) {
  uint32_t number = next_.load(std::memory_order_relaxed);
  do {
    if (number >= max_frames_) return kNone;
  } while (!next_.compare_exchange_weak(number, number + 1, std::memory_order_acq_rel, std::memory_order_relaxed));
  // Writes the detail last, which is 0 in no frame: grow() sees a complete frame or none.
  frames_[number].value = frame.value;
  __atomic_store_n(&frames_[number].detail, frame.detail, __ATOMIC_RELEASE);
  return number;
}

uint32_t FrameTable::number(Frame frame) {
  uint32_t hash = hash_of(frame);
  auto is_it = [this, &frame](uint32_t other) { return frames_[other] == frame; };
  uint32_t known = index_.find(hash, is_it);
  if (known != 0) return known;
  uint32_t mine = make(frame);
  return mine == kNone ? kNone : index_.insert(hash, mine, is_it);
}

uint32_t FrameTable::end() const {
  return std::min(next_.load(std::memory_order_seq_cst), max_frames_);
}

void FrameTable::grow() {
  if (!ok()) return;
  uint32_t wanted = std::min(end() + kFramesAhead, max_frames_);
  if (wanted > touched_ + kFramesAhead / 2) {
    touch_memory(frames_ + touched_, size_t{wanted - touched_} * sizeof(Frame));
    touched_ = wanted;
  }
  index_.grow(end() - 1, [this](const auto& enter) {
    for (uint32_t number = 1, past = end(); number < past; number++) {
      if (__atomic_load_n(&frames_[number].detail, __ATOMIC_ACQUIRE) == 0) continue;
      Frame frame = frames_[number];
      enter(hash_of(frame), number, [this, frame](uint32_t other) { return frames_[other] == frame; });
    }
  });
}

}  // namespace hearth::capture
