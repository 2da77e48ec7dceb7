// Counts the samples of a session: takes them out of the ring and adds them to SampleCounts. A sample for which the
// counts have no space is dropped and counted as lost. Thread safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "capture/recorder.h"
#include "capture/store/sample_ring.h"
#include "capture/store/stack_tree.h"
#include "session/counting/sample_counts.h"
#include "session/sample_stream.h"

namespace hearth::session {

class SampleCounter {
 public:
  static constexpr int kNoEvent = -1;

  // The ring, the tree and the recorder's counters outlive the counter. `most_keys`: as in SampleCounts.
  SampleCounter(capture::SampleRing* ring, capture::StackTree* tree, const capture::RecorderCounters* recorded,
                size_t most_keys = SampleCounts::kMostKeys)
      : ring_(ring), tree_(tree), recorded_(recorded), counts_(most_keys) {}

  void begin(uint64_t now_ns) { counts_.begin(now_ns); }
  // The number of the event whose weights sampled_bytes() sums up, or kNoEvent.
  void set_allocation_event(int event) { allocation_event_ = event; }
  int allocation_event() const { return allocation_event_; }
  // Receives each counted sample from now on; null: none does.
  void set_stream(SampleStream* stream) {
    std::lock_guard<std::mutex> lock(mutex_);
    stream_ = stream;
  }

  bool has_stream() const { return stream_ != nullptr; }

  // Sets the label set of the numbers that samples carry, if it is another one.
  void set_label_resolver(std::function<uint16_t(uint16_t)> resolve) { resolve_labels_ = std::move(resolve); }

  // Counts all samples in the ring and lets the tree grow.
  void drain();
  // Counts a sample that a source kept.
  void add(const capture::Sample& sample);
  // Counts `times` samples that a source counted itself. They cover the sample.weight nanoseconds up to its time.
  void add_repeated(const capture::Sample& sample, int64_t times);

  // Returns read(const SampleCounts&), called under the lock of the counts.
  template <typename Read>
  auto read(const Read& read) const {
    std::lock_guard<std::mutex> lock(mutex_);
    return read(counts_);
  }

  uint64_t in_other_spans() const { return counts_.in_other_spans(); }
  int64_t sampled_bytes() const { return sampled_bytes_; }
  uint64_t dropped_samples() const { return dropped_samples_; }
  // Lost samples of all events: refused by the recorder, or dropped here.
  uint64_t lost_samples() const { return recorded_->lost + dropped_samples_; }
  // The weight of the lost samples of an event, in its unit.
  int64_t lost_weight(size_t event) const { return recorded_->lost_weight[event] + dropped_weight_[event]; }
  // Lost samples by event, for events 0 to `events` - 1. Their number is known only in total, so event 0 has it.
  std::vector<SampleCounts::Count> lost(size_t events) const;

 private:
  bool has_counted(capture::Sample* sample, std::optional<int64_t> repeated);  // resolves its labels
  void count(capture::Sample sample, std::optional<int64_t> repeated);

  capture::SampleRing* ring_;
  capture::StackTree* tree_;
  const capture::RecorderCounters* recorded_;
  std::function<uint16_t(uint16_t)> resolve_labels_;
  std::atomic<int> allocation_event_{kNoEvent};
  std::atomic<int64_t> sampled_bytes_{0};
  mutable std::mutex mutex_;  // of counts_ and the ring's end
  SampleCounts counts_;
  SampleStream* stream_ = nullptr;
  std::atomic<uint64_t> dropped_samples_{0};
  std::atomic<int64_t> dropped_weight_[capture::kMaxEvents] = {};
  std::atomic<int64_t> dropped_objects_[capture::kMaxEvents] = {};
};

}  // namespace hearth::session
