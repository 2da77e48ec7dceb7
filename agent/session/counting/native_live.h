// Samples of the event "native-live": sampled native memory that was not freed. One call at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "events/handlers/live_allocations.h"
#include "session/counting/sample_counts.h"

namespace hearth::session {

class NativeLive {
 public:
  // Returns the table for the hooks, empty: frees before were not seen. Throws Error without memory.
  events::LiveAllocations* begin();

  // `event`: the number of the event "native-live". The time of a sample is that of its allocation.
  std::vector<SampleCounts::Part> samples(uint16_t event, const SampleCounts::StepOf& step_of) const;

  // A note on allocations that are not followed, also on those of before a pause; or "".
  std::string note() const;

  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    if (table_ != nullptr) table_->visit_memory(visit);
  }

 private:
  static constexpr size_t kMost = 1 << 17;  // 7 MB when full

  bool is_resumed_ = false;
  std::unique_ptr<events::LiveAllocations> table_;
};

// A sample's state: its age, and its size.
uint16_t state_of_native_live(uint64_t age_ns, uint8_t size_class);
const char* native_age_word(uint16_t state);
uint8_t size_class_of_native_live(uint16_t state);

}  // namespace hearth::session
