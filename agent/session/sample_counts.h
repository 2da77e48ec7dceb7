// What the session has drained from the ring: how often, and with how much weight, each thread was seen in each stack.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <tuple>
#include <vector>

#include "capture/sample_ring.h"
#include "profile/id_index.h"

namespace hearth::session {

class SampleCounts {
 public:
  struct Key {
    uint32_t thread;  // serial
    uint32_t stack;   // StackTree node
    uint16_t event;
    uint16_t state;

    bool operator==(const Key& other) const { return tied() == other.tied(); }
    bool operator<(const Key& other) const { return tied() < other.tied(); }

   private:
    std::tuple<uint32_t, uint32_t, uint16_t, uint16_t> tied() const { return {thread, stack, event, state}; }
  };
  struct Count {
    int64_t samples = 0;
    int64_t weight = 0;
    double objects = 0;  // of allocations

    Count& operator-=(const Count& other) {
      samples -= other.samples;
      weight -= other.weight;
      objects -= other.objects;
      return *this;
    }
  };
  struct Entry {
    Key key;
    Count count;
  };

  // `most`: how many different keys there may be. Each takes 40 bytes, and 11 to 22 in the index.
  explicit SampleCounts(size_t most = 4'000'000) : most_(most) {}

  // `times` samples, whose weights together are sample.weight. False: there is no room for another key.
  bool add(const capture::Sample& sample, int64_t times = 1) {
    Entry* entry = find_or_make({sample.thread, sample.stack, sample.event, sample.state});
    if (entry == nullptr) return false;
    entry->count.samples += times;
    entry->count.weight += sample.weight;
    entry->count.objects += sample.objects;
    return true;
  }

  size_t bytes() const { return entries_.size() * sizeof(Entry) + index_.bytes(); }  // of memory

  // In the order in which they were first seen.
  const std::deque<Entry>& all() const { return entries_; }

  // How all() stand now.
  std::vector<Count> counts() const {
    std::vector<Count> counts;
    counts.reserve(entries_.size());
    for (const Entry& entry : entries_) counts.push_back(entry.count);
    return counts;
  }

  // What has been added since they stood at `before`.
  std::vector<Entry> since(const std::vector<Count>& before) const {
    std::vector<Entry> added;
    for (size_t id = 0; id < entries_.size(); id++) {
      Entry entry = entries_[id];
      if (id < before.size()) entry.count -= before[id];
      if (entry.count.samples != 0 || entry.count.weight != 0) added.push_back(entry);
    }
    return added;
  }

 private:
  Entry* find_or_make(const Key& key) {
    uint64_t hash = profile::mix(static_cast<uint64_t>(key.thread) << 32 | key.stack,
                                 static_cast<uint64_t>(key.event) << 16 | key.state);
    auto is_key = [&](uint32_t id) { return entries_[id].key == key; };
    if (std::optional<uint32_t> known = index_.find(hash, is_key)) return &entries_[*known];
    if (entries_.size() >= most_) return nullptr;
    entries_.push_back({key, Count()});
    try {
      return &entries_[index_.find_or_claim(hash, is_key)];
    } catch (...) {  // no memory: both keep the same length
      entries_.pop_back();
      throw;
    }
  }

  size_t most_;
  std::deque<Entry> entries_;  // by id; never moved, so that growing needs no second copy
  profile::IdIndex index_;
};

}  // namespace hearth::session
