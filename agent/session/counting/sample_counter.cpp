#include "session/counting/sample_counter.h"

#include <cmath>
#include <new>

namespace hearth::session {

void SampleCounter::drain() {
  std::lock_guard<std::mutex> lock(mutex_);
  capture::Sample sample;
  while (ring_->pop(&sample)) count(sample, std::nullopt);
  tree_->grow();
}

void SampleCounter::add(const capture::Sample& sample) {
  std::lock_guard<std::mutex> lock(mutex_);
  count(sample, std::nullopt);
}

void SampleCounter::add_repeated(const capture::Sample& sample, int64_t times) {
  std::lock_guard<std::mutex> lock(mutex_);
  count(sample, times);
}

bool SampleCounter::has_counted(capture::Sample* sample, std::optional<int64_t> repeated) {
  try {
    if (resolve_labels_) sample->labels = resolve_labels_(sample->labels);
    return repeated ? counts_.add_spread(*sample, *repeated) : counts_.add(*sample);
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void SampleCounter::count(capture::Sample sample, std::optional<int64_t> repeated) {
  if (sample.is_release()) {
    if (stream_ != nullptr) stream_->add(sample, 1);
    return;
  }
  if (has_counted(&sample, repeated)) {
    if (sample.event == allocation_event_) sampled_bytes_ += sample.weight;
    if (stream_ != nullptr) stream_->add(sample, repeated.value_or(1));
    return;
  }
  dropped_samples_ += static_cast<uint64_t>(repeated.value_or(1));
  dropped_weight_[sample.event] += sample.weight;
  dropped_objects_[sample.event] += std::llround(sample.objects);
}

std::vector<SampleCounts::Count> SampleCounter::lost(size_t events) const {
  std::vector<SampleCounts::Count> lost;
  for (size_t event = 0; event < events; event++) {
    int64_t samples = event == 0 ? static_cast<int64_t>(lost_samples()) : 0;
    lost.push_back(
        {samples, lost_weight(event), static_cast<double>(recorded_->lost_objects[event] + dropped_objects_[event])});
  }
  return lost;
}

}  // namespace hearth::session
