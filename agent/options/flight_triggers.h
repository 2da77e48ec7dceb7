// Conditions under which the flight recorder keeps the last minutes: as people write them, and when they are met. Knows
// no JVM and no clock. Not thread safe.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::options {

struct FlightTrigger {
  enum class Kind { kCpu, kAllocation, kCollection, kOutOfMemory, kDeadlock, kSignal, kLatency };
  Kind kind = Kind::kSignal;
  double limit = 0;     // share of the CPUs; bytes a second; share of the time; nanoseconds
  std::string label{};  // of latency: its key
  std::string text{};   // as it was written
};

inline constexpr const char* kFlightTriggers =
    "cpu>90%, alloc>1g/s, gc>30%, latency:LABEL>500ms, oom, deadlock, signal; | between several";

// Of "cpu>90%|oom". Throws Error.
std::vector<FlightTrigger> parse_flight_triggers(std::string_view text);

// How far everything has come, at one moment.
struct FlightReadings {
  int64_t time_ns = 0;  // CLOCK_MONOTONIC
  int64_t cpu_ns = 0;   // of the process
  int64_t cpus = 1;     // that it may use
  int64_t allocated_bytes = 0;
  int64_t gc_pause_ns = 0;
  uint64_t out_of_memory = 0;
  uint64_t signals = 0;
  uint64_t deadlocked_threads = 0;
  struct Slow {
    std::string value;
    int64_t took_ns = 0;
  };
  std::map<std::string, Slow> slowest;  // by label, since the readings before
};

class FlightTriggers {
 public:
  explicit FlightTriggers(std::vector<FlightTrigger> triggers) : triggers_(std::move(triggers)) {}

  bool has(FlightTrigger::Kind kind) const;
  bool is_empty() const { return triggers_.empty(); }
  const std::vector<FlightTrigger>& all() const { return triggers_; }

  // Why to keep the last minutes: "cpu>90%: 97 % of 8 CPUs"; nothing: there is no reason, or the same one was given
  // within kQuietNs. A condition that holds permanently is given once in that time.
  std::optional<std::string> reason(const FlightReadings& now);
  uint64_t held_back() const { return held_back_; }

  static constexpr int64_t kQuietNs = 600'000'000'000;
  static constexpr int64_t kOverNs = 5'000'000'000;  // rates are means over this time

 private:
  std::string why(const FlightTrigger& trigger, const FlightReadings& now) const;

  std::vector<FlightTrigger> triggers_;
  std::optional<FlightReadings> before_;     // events are counted from here
  std::vector<FlightReadings> rates_since_;  // the oldest is about kOverNs old
  std::map<std::string, int64_t> given_ns_;  // when each trigger was the reason
  uint64_t held_back_ = 0;
};

}  // namespace hearth::options
