// Label sets of the program's Java code, by number: samples carry the number. They outlive sessions, and their memory
// is bounded: labels over the bounds get the value "(other)". Thread safe; not signal safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hearth::vm {

inline constexpr const char* kOtherLabels = "(other)";

class LabelSets {
 public:
  struct Bounds {
    size_t keys = 100;
    size_t values = 1'000;  // of a key
    size_t sets = 8'000;    // in addition to sets of "(other)": at most one for each key, and one more
  };
  static constexpr uint32_t kMostNumber = 8'101;
  using Set = std::map<std::string, std::string>;

  LabelSets() : LabelSets(Bounds()) {}
  explicit LabelSets(const Bounds& bounds) : bounds_(bounds), sets_(1) {}

  // Returns the number of the set; equal sets have the same one. 0: no labels.
  uint32_t number_of(const Set& labels);
  // Returns the set of the number; empty for an unknown number. The reference stays valid.
  const Set& of(uint32_t number) const;

  // Counts a virtual thread without visible labels.
  void ignore_thread() { ignored_threads_++; }

  // Returns one line for each difference from the labels that the program set.
  std::vector<std::string> notes() const;

 private:
  struct Key {
    std::set<std::string> values;
    uint64_t refused = 0;
  };
  Set bounded(const Set& labels);
  uint32_t find_or_add(const Set& labels, size_t most);

  const Bounds bounds_;
  mutable std::mutex mutex_;
  std::map<std::string, Key> keys_;
  std::deque<Set> sets_;  // by number; the first is empty
  std::map<Set, uint32_t> numbers_;
  uint64_t refused_keys_ = 0;
  uint64_t refused_sets_ = 0;
  std::atomic<uint64_t> ignored_threads_{0};
};

}  // namespace hearth::vm
