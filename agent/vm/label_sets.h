// The label sets that the program's Java code has named, by number: what a sample carries. They outlive sessions, and
// their memory is bounded: what is over goes by the value "(other)". Thread safe; not signal safe.
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
    size_t sets = 8'000;    // beside those whose values are all "(other)", of which there are as many as keys and one
  };
  static constexpr uint32_t kMostNumber = 8'101;
  using Set = std::map<std::string, std::string>;

  LabelSets() : LabelSets(Bounds()) {}
  explicit LabelSets(const Bounds& bounds) : bounds_(bounds), sets_(1) {}

  // Equal ones have the same number; 0: no labels.
  uint32_t number_of(const Set& labels);
  // None for a number that was never given. Stays where it is.
  const Set& of(uint32_t number) const;

  // A virtual thread's labels are not seen.
  void ignore_thread() { ignored_threads_++; }

  // What is not as the program said it; one line each.
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
  std::deque<Set> sets_;  // by number; the first has none
  std::map<Set, uint32_t> numbers_;
  uint64_t refused_keys_ = 0;
  uint64_t refused_sets_ = 0;
  std::atomic<uint64_t> ignored_threads_{0};
};

}  // namespace hearth::vm
