// The samples drained from the ring, counted: number, weight and time by thread, stack, event, labels and state. Not
// thread safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "capture/store/sample_ring.h"
#include "capture/store/span_table.h"
#include "profile/model/id_index.h"
#include "profile/model/profile.h"
#include "session/counting/sample_times.h"

namespace hearth::session {

class SampleCounts {
 public:
  static constexpr int kEventBits = 5, kLabelBits = 13, kStateBits = 14;
  static constexpr uint32_t kEvents = 1 << kEventBits;
  static constexpr uint32_t kLabelSets = 1 << kLabelBits;
  static constexpr uint32_t kStates = 1 << kStateBits;
  struct Key {
    uint32_t thread;               // serial
    uint32_t stack;                // StackTree node
    uint32_t event : kEventBits;   // less than kEvents
    uint32_t labels : kLabelBits;  // less than kLabelSets
    uint32_t state : kStateBits;   // less than kStates

    Key(uint32_t of_thread, uint32_t stack_node, uint16_t event_number, uint16_t thread_state, uint32_t label_set = 0)
        : thread(of_thread),
          stack(stack_node),
          event(event_number & (kEvents - 1)),
          labels(label_set & (kLabelSets - 1)),
          state(thread_state & (kStates - 1)) {}
    bool operator==(const Key& other) const { return tied() == other.tied(); }
    bool operator<(const Key& other) const { return tied() < other.tied(); }

   private:
    std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t> tied() const {
      return {thread, stack, event, state, labels};
    }
  };
  static_assert(sizeof(Key) == 12);
  using Count = SampleCount;
  struct Entry {
    Key key;
    uint32_t first_unit;  // see SampleTimes
    Count count;
  };
  // The count of one key, or of one key in one time step.
  struct Part {
    Key key;
    profile::TimeStep time = profile::kNoTime;
    Count count;
    uint16_t span = capture::SpanTable::kNone;
  };
  // Returns the step of a time of CLOCK_MONOTONIC, or kNoTime in a profile without times.
  using StepOf = std::function<profile::TimeStep(uint64_t time_ns)>;
  static profile::TimeStep no_time(uint64_t) { return profile::kNoTime; }

  // Counts of live memory, where several allocations may have one key.
  class Living {
   public:
    void add(const Key& key, uint16_t span, profile::TimeStep time, int64_t bytes, double objects);
    std::vector<Part> parts() const;

   private:
    std::map<std::tuple<Key, uint16_t, profile::TimeStep>, Count> counts_;
  };
  static constexpr size_t kMostKeys = 4'000'000;
  static constexpr size_t kMostBySpan = 500'000;

  // `most`: the limit of different keys. Each takes 40 bytes, 11 to 22 in the index, and 2 more after the first sample
  // in a span. `most_by_span`: the limit of keys with a span; further samples in spans are counted under
  // SpanTable::kOther.
  explicit SampleCounts(size_t most = kMostKeys, SampleTimes times = SampleTimes(), size_t most_by_span = kMostBySpan)
      : most_(most), most_by_span_(most_by_span), times_(std::move(times)) {}

  // Sets the start of the first time step.
  void begin(uint64_t now_ns) { times_.begin(now_ns); }

  // Adds `times` samples with a total weight of sample.weight. False: there is no space for another key.
  bool add(const capture::Sample& sample, int64_t times = 1);
  // The same for samples spread evenly over the sample.weight nanoseconds up to its time.
  bool add_spread(const capture::Sample& sample, int64_t times);

  size_t bytes() const {  // of memory
    return entries_.size() * sizeof(Entry) + spans_.capacity() * sizeof(spans_[0]) + index_.bytes() + times_.bytes();
  }

  // Entries in the order in which their keys were first seen.
  const std::deque<Entry>& all() const { return entries_; }

  // The counts of all() now.
  std::vector<Count> counts() const;

  // The counts added since counts() returned `before`, without times.
  std::vector<Part> since(const std::vector<Count>& before) const;

  // The number of samples counted under SpanTable::kOther.
  uint64_t in_other_spans() const { return in_other_spans_; }  // any thread

  // All counts, divided into the time steps of their samples.
  std::vector<Part> by_time() const;
  int64_t step_ns() const { return times_.step_ns(); }
  StepOf step_of() const;

 private:
  std::optional<uint32_t> find(const Key& key, uint16_t span) const;
  // nullopt: there is no space for it.
  std::optional<uint32_t> find_or_make(const capture::Sample& sample, uint64_t time_ns, int64_t times);
  std::optional<uint32_t> find_or_make(const Key& key, uint16_t span, uint64_t time_ns);
  uint16_t span_of(uint32_t id) const { return id < spans_.size() ? spans_[id] : capture::SpanTable::kNone; }
  void add_time(uint32_t id, uint64_t time_ns, const Count& count);

  size_t most_;
  size_t most_by_span_;
  std::deque<Entry> entries_;    // by id; a deque, so that growing copies nothing
  std::vector<uint16_t> spans_;  // by id; empty until the first sample in a span
  size_t by_span_ = 0;           // number of entries with a span
  std::atomic<uint64_t> in_other_spans_{0};
  profile::IdIndex index_;
  SampleTimes times_;
};

}  // namespace hearth::session
