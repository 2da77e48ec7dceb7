// A hash index over values in another object's array: stores ids only, so each value is stored once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace hearth::profile {

// Mixes the bits of one or two integers into 64.
inline uint64_t mix(uint64_t a, uint64_t b = 0) {
  uint64_t h = (a ^ (b * 0x9E3779B97F4A7C15u)) * 0xD6E8FEB86659FD93u;
  h ^= h >> 32;
  h *= 0xD6E8FEB86659FD93u;
  return h ^ (h >> 32);
}

// Names are short: reads eight bytes at a time; the last eight may overlap those before.
inline uint64_t hash_of(std::string_view text) {
  uint64_t hash = text.size(), word = 0;
  if (text.size() < sizeof word) {
    for (char c : text) word = word << 8 | static_cast<uint8_t>(c);
    return mix(hash, word);
  }
  for (size_t at = 0; at + sizeof word < text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    hash = mix(hash, word);
  }
  std::memcpy(&word, text.data() + text.size() - sizeof word, sizeof word);
  return mix(hash, word);
}

// Open addressing, at most three quarters full. Claimed ids are dense: 0, 1, 2, … in the order of the claims.
class IdIndex {
 public:
  // The id for which `equals(id)` holds; else the next free id, and the caller must append its value. Throws
  // std::length_error past 2^32 - 1 ids.
  template <typename Equals>
  uint32_t find_or_claim(uint64_t hash, const Equals& equals) {
    return find_or_enter(hash, size_, equals);
  }

  // As above, for an array with values that are not in the index: `id` is the id of a new value.
  template <typename Equals>
  uint32_t find_or_enter(uint64_t hash, size_t id, const Equals& equals) {
    if ((size_ + 1) * 4 > slots_.size() * 3) grow_to(slots_.empty() ? kFirstSlots : slots_.size() * 2);
    auto tag = static_cast<uint32_t>(hash >> 32);
    size_t at = place_of(tag, equals);
    if (slots_[at].id != kFree) return slots_[at].id;
    check(id);
    slots_[at] = {tag, static_cast<uint32_t>(id)};
    ++size_;
    return static_cast<uint32_t>(id);
  }

  // As above, without claiming an id.
  template <typename Equals>
  std::optional<uint32_t> find(uint64_t hash, const Equals& equals) const {
    if (slots_.empty()) return std::nullopt;
    uint32_t id = slots_[place_of(static_cast<uint32_t>(hash >> 32), equals)].id;
    return id == kFree ? std::nullopt : std::optional(id);
  }

  // Throws std::length_error if a new value would exceed the last id.
  static void check(size_t id) {
    if (id >= kFree) throw std::length_error("a profile holds at most 2^32 - 1 different stacks, frames or names");
  }

  // Reserves memory for this many ids.
  void reserve(size_t ids) {
    size_t slots = kFirstSlots;
    while (slots * 3 < ids * 4) slots *= 2;
    if (slots > slots_.size()) grow_to(slots);
  }

  size_t size() const { return size_; }
  size_t bytes() const { return slots_.capacity() * sizeof(slots_[0]); }  // of memory

 private:
  static constexpr uint32_t kFree = std::numeric_limits<uint32_t>::max();
  static constexpr size_t kFirstSlots = 16;

  struct Slot {
    uint32_t tag = 0;  // avoids reading values on growth and for most unequal values
    uint32_t id = kFree;
  };

  // The slot of its id, or the free slot where it belongs.
  template <typename Equals>
  size_t place_of(uint32_t tag, const Equals& equals) const {
    size_t mask = slots_.size() - 1;
    size_t at = tag & mask;
    while (slots_[at].id != kFree && (slots_[at].tag != tag || !equals(slots_[at].id))) at = (at + 1) & mask;
    return at;
  }

  void grow_to(size_t slots) {
    std::vector<Slot> old(slots);
    old.swap(slots_);
    size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.id == kFree) continue;
      size_t at = slot.tag & mask;
      while (slots_[at].id != kFree) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two
  size_t size_ = 0;
};

// The id of a value in an array with an index; `append()` adds a new value. nullopt: the value is new and the array
// already has `most`.
template <typename Values, typename Equals, typename Append>
std::optional<uint32_t> find_or_append(IdIndex* index, uint64_t hash, Values* values, size_t most, const Equals& equals,
                                       const Append& append) {
  if (std::optional<uint32_t> known = index->find(hash, equals)) return known;
  if (values->size() >= most) return std::nullopt;
  append();
  try {
    return index->find_or_claim(hash, equals);
  } catch (...) {  // out of memory: keeps both at the same length
    values->pop_back();
    throw;
  }
}

}  // namespace hearth::profile
