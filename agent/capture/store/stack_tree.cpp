#include "capture/store/stack_tree.h"

#include <algorithm>

namespace hearth::capture {
namespace {

constexpr uint32_t kWordsAhead = 1 << 15;

uint32_t hash_of(uint32_t parent, uint32_t number) {
  uint64_t h = (static_cast<uint64_t>(parent) << 32 | number) * 0x9e3779b97f4a7c15ULL;
  h ^= h >> 29;
  h *= 0xbf58476d1ce4e5b9ULL;
  return static_cast<uint32_t>(h >> 32);
}

}  // namespace

StackTree::StackTree(uint32_t max_words)
    : memory_(Mapping::reserved(size_t{max_words} * sizeof(uint32_t))),
      words_(memory_.as<std::atomic<uint32_t>>()),
      max_words_(words_ != nullptr ? max_words : 0),
      frames_(kMaxFrames) {
  grow();
}

uint32_t StackTree::id_end() const {
  return std::min(next_word_.load(std::memory_order_seq_cst), max_words_);
}

uint32_t StackTree::node_count() const {
  uint32_t runs = runs_.load(std::memory_order_acquire);  // first: id_end() then includes the words of these runs
  return ok() ? id_end() - 1 - runs : 0;
}

// A word that is not written yet matches no frame's number.
bool StackTree::is_next(uint32_t parent, Frame frame) const {
  if (parent == kRoot || parent + 1 >= max_words_) return false;
  uint32_t next = word(parent + 1);
  return next != FrameTable::kNone && (next & kIsParent) == 0 && frames_.frame(next) == frame;
}

uint32_t StackTree::extend_run(uint32_t parent, uint32_t number) {
  uint32_t id = parent + 1;
  if (parent == kRoot || id >= max_words_) return kFull;
  if (next_word_.load(std::memory_order_relaxed) != id) return kFull;
  uint32_t expected = id;
  if (!next_word_.compare_exchange_strong(expected, id + 1, std::memory_order_acq_rel, std::memory_order_relaxed))
    return kFull;
  words_[id].store(number, std::memory_order_release);
  return id;
}

uint32_t StackTree::begin_run(uint32_t parent, uint32_t number) {
  uint32_t at = next_word_.load(std::memory_order_relaxed);
  do {
    if (at + 1 >= max_words_) return kFull;
  } while (!next_word_.compare_exchange_weak(at, at + 2, std::memory_order_acq_rel, std::memory_order_relaxed));
  runs_.fetch_add(1, std::memory_order_release);
  words_[at].store(parent | kIsParent, std::memory_order_relaxed);
  words_[at + 1].store(number, std::memory_order_release);
  return at + 1;
}

uint32_t StackTree::child(uint32_t parent, Frame frame, bool* is_new) {
  if (!ok()) return kFull;
  if (!*is_new && is_next(parent, frame)) return parent + 1;
  uint32_t number = frames_.number(frame);
  if (number == FrameTable::kNone) return kFull;
  uint32_t hash = hash_of(parent, number);
  auto is_it = [this, parent, number](uint32_t other) {
    return word(other) == number && word(other - 1) == (parent | kIsParent);
  };
  uint32_t id = *is_new ? 0 : index_.find(hash, is_it);
  *is_new = id == 0;
  if (id != 0) return id;
  id = extend_run(parent, number);
  if (id != kFull) return id;
  id = begin_run(parent, number);
  if (id == kFull) return kFull;
  uint32_t entered = index_.insert(hash, id, is_it);
  if (entered != id) *is_new = false;
  return entered;
}

void StackTree::grow() {
  if (!ok()) return;
  frames_.grow();
  uint32_t wanted = std::min(id_end() + kWordsAhead, max_words_);
  if (wanted > touched_words_ + kWordsAhead / 2) {
    touch_memory(words_ + touched_words_, size_t{wanted - touched_words_} * sizeof(uint32_t));
    touched_words_ = wanted;
  }
  index_.grow(runs_.load(std::memory_order_relaxed), [this](const auto& enter) {
    for (uint32_t id = 2, end = id_end(); id < end; id++) {
      if (!begins_run(id)) continue;
      uint32_t number = word(id);
      uint32_t before = word(id - 1);
      enter(hash_of(before & ~kIsParent, number), id,
            [this, number, before](uint32_t other) { return word(other) == number && word(other - 1) == before; });
    }
  });
}

}  // namespace hearth::capture
