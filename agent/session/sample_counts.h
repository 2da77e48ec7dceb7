// What the session has drained from the ring: how often, and with how much weight, each thread was seen in each stack,
// and when.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "capture/sample_ring.h"
#include "capture/span_table.h"
#include "profile/id_index.h"
#include "profile/profile.h"
#include "session/sample_times.h"

namespace hearth::session {

class SampleCounts {
 public:
  static constexpr uint32_t kEvents = 1 << 3;
  static constexpr uint32_t kLabelSets = 1 << 13;
  struct Key {
    uint32_t thread;       // serial
    uint32_t stack;        // StackTree node
    uint16_t event : 3;    // less than kEvents
    uint16_t labels : 13;  // less than kLabelSets
    uint16_t state;

    Key(uint32_t of_thread, uint32_t stack_node, uint16_t event_number, uint16_t thread_state, uint32_t label_set = 0)
        : thread(of_thread),
          stack(stack_node),
          event(event_number & (kEvents - 1)),
          labels(label_set & (kLabelSets - 1)),
          state(thread_state) {}
    bool operator==(const Key& other) const { return tied() == other.tied(); }
    bool operator<(const Key& other) const { return tied() < other.tied(); }

   private:
    std::tuple<uint32_t, uint32_t, uint16_t, uint16_t, uint16_t> tied() const {
      return {thread, stack, event, state, labels};
    }
  };
  using Count = SampleCount;
  struct Entry {
    Key key;
    uint32_t first_unit;  // see SampleTimes
    Count count;
  };
  // What came of one key, or of one in one step.
  struct Part {
    Key key;
    profile::TimeStep time = profile::kNoTime;
    Count count;
    uint16_t span = capture::SpanTable::kNone;
  };
  static constexpr size_t kMostBySpan = 500'000;

  // `most`: how many different keys there may be. Each takes 40 bytes, and 11 to 22 in the index, and 2 more as soon as
  // one of them came in a span. `most_by_span`: how many of the keys may be of a span; further ones are of
  // SpanTable::kOther.
  explicit SampleCounts(size_t most = 4'000'000, SampleTimes times = SampleTimes(), size_t most_by_span = kMostBySpan)
      : most_(most), most_by_span_(most_by_span), times_(std::move(times)) {}

  // From now on samples come.
  void begin(uint64_t now_ns) { times_.begin(now_ns); }

  // `times` samples, whose weights together are sample.weight. False: there is no room for another key.
  bool add(const capture::Sample& sample, int64_t times = 1);
  // The same of samples that came evenly during the sample.weight nanoseconds up to its time.
  bool add_spread(const capture::Sample& sample, int64_t times);

  size_t bytes() const {  // of memory
    return entries_.size() * sizeof(Entry) + spans_.capacity() * sizeof(spans_[0]) + index_.bytes() + times_.bytes();
  }

  // In the order in which they were first seen.
  const std::deque<Entry>& all() const { return entries_; }

  // How all() stand now.
  std::vector<Count> counts() const;

  // What has been added since they stood at `before`, whenever it came.
  std::vector<Part> since(const std::vector<Count>& before) const;

  // How many samples are of SpanTable::kOther.
  uint64_t in_other_spans() const { return in_other_spans_; }  // any thread

  // All, each in the steps in which it came.
  std::vector<Part> by_time() const;
  int64_t step_ns() const { return times_.step_ns(); }

 private:
  std::optional<uint32_t> find(const Key& key, uint16_t span) const;
  // nullopt: there is no room for it.
  std::optional<uint32_t> find_or_make(const capture::Sample& sample, uint64_t time_ns, int64_t times);
  std::optional<uint32_t> find_or_make(const Key& key, uint16_t span, uint64_t time_ns);
  uint16_t span_of(uint32_t id) const { return id < spans_.size() ? spans_[id] : capture::SpanTable::kNone; }
  void add_time(uint32_t id, uint64_t time_ns, const Count& count);

  size_t most_;
  size_t most_by_span_;
  std::deque<Entry> entries_;    // by id; never moved, so that growing needs no second copy
  std::vector<uint16_t> spans_;  // by id; none as long as no sample came in one
  size_t by_span_ = 0;           // of the entries, how many did
  std::atomic<uint64_t> in_other_spans_{0};
  profile::IdIndex index_;
  SampleTimes times_;
};

}  // namespace hearth::session
