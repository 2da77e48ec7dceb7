// The events of one session, each with its interval.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace hearth::options {

struct Options;

// In the order in which a session lists them.
enum class Event : uint8_t { kCpu, kWall, kAlloc, kLock, kCount };
inline constexpr auto kEventCount = static_cast<size_t>(Event::kCount);

template <typename Value>
class ByEvent {
 public:
  Value& operator[](Event event) { return values_[static_cast<size_t>(event)]; }
  const Value& operator[](Event event) const { return values_[static_cast<size_t>(event)]; }

 private:
  std::array<Value, kEventCount> values_{};
};

// Read and written by the functions of event_table.h alone.
class EventSet {
  friend std::optional<int64_t> interval_of(const Options& options, Event event);
  friend void set_interval(Options* options, Event event, std::optional<int64_t> interval);

  ByEvent<std::optional<int64_t>> intervals_;
};

}  // namespace hearth::options
