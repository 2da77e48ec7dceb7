#include "holders/object_set.h"

#include <algorithm>

namespace hearth::holders {
namespace {

constexpr uint32_t kUsed = uint32_t{1} << 31;
constexpr size_t kFirstSize = 1 << 12;

// Identity hash codes are random already; the multiplication serves JVMs whose codes are not.
size_t place_of(uint32_t entry, size_t size) {
  constexpr uint64_t kMix = 0x9e3779b97f4a7c15;
  constexpr int kUpper = 32;
  return static_cast<size_t>(entry * kMix >> kUpper) & (size - 1);
}

}  // namespace

bool ObjectSet::put(uint32_t entry) {
  size_t at = place_of(entry, entries_.size());
  for (; entries_[at] != 0; at = (at + 1) & (entries_.size() - 1))
    if (entries_[at] == entry) return false;
  entries_[at] = entry;
  return true;
}

void ObjectSet::grow() {
  std::vector<uint32_t> old(std::max(kFirstSize, 2 * entries_.size()));
  old.swap(entries_);
  for (uint32_t entry : old)
    if (entry != 0) put(entry);
}

bool ObjectSet::add(uint32_t hash) {
  if (3 * (size_ + 1) > 2 * entries_.size()) grow();
  bool is_new = put(hash | kUsed);
  size_ += is_new ? 1 : 0;
  return is_new;
}

std::vector<uint32_t> SearchTree::steps_to(uint32_t node) const {
  std::vector<uint32_t> steps;
  for (; node != kNone; node = nodes_[node].parent) steps.push_back(nodes_[node].step);
  std::reverse(steps.begin(), steps.end());
  return steps;
}

}  // namespace hearth::holders
