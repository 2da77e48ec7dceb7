// Samples of the event "native-live": sampled native memory that was not freed. One call at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "events/handlers/live_allocations.h"
#include "session/counting/sample_counts.h"

namespace hearth::session {

class NativeLive {
 public:
  // The table for the hooks. Empty, since frees before were not seen, unless it was inherited just before. Throws Error
  // without memory.
  struct Begun {
    events::LiveAllocations* table;
    bool goes_on;  // as NativeMemoryView
  };
  Begun begin();

  // Takes over what lived at the end of another session, whose hooks were removed a moment ago: frees meanwhile are
  // missed, until the address is allocated and freed again. `change` makes an allocation one of the new session; false:
  // it cannot. Takes over nothing if other hooks were there since.
  using Change = std::function<bool(events::LiveAllocations::Allocation* one)>;
  void inherit(const NativeLive& before, const Change& change);
  // When the oldest allocations were followed from, since 1970; 0: never.
  int64_t since_unix_ns() const { return since_unix_ns_; }

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

  void make_table();

  bool is_resumed_ = false, is_inherited_ = false;
  int64_t since_unix_ns_ = 0;
  uint64_t forgotten_ = 0;  // events::native_memory_forgotten() while it is followed
  std::unique_ptr<events::LiveAllocations> table_;
};

// A sample's state: its age, and its size.
uint16_t state_of_native_live(uint64_t age_ns, uint8_t size_class);
const char* native_age_word(uint16_t state);
uint8_t size_class_of_native_live(uint16_t state);

}  // namespace hearth::session
