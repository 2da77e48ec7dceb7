// The triggers of a store: reads the figures that they need and reports when the last minutes are to be kept. One call
// at a time, on attached threads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "events/vm/memory_exhaustion.h"
#include "options/flight_triggers.h"
#include "session/profile_session.h"
#include "vm/vm.h"

namespace hearth::always_on {

class FlightRecorder {
 public:
  // `vm` outlives it. Throws Error where a trigger cannot work.
  FlightRecorder(std::vector<options::FlightTrigger> triggers, vm::Vm* vm);
  FlightRecorder(const FlightRecorder&) = delete;
  FlightRecorder& operator=(const FlightRecorder&) = delete;

  // Throws Error where a trigger cannot work for a reason that takes an attached thread to find.
  void start(JNIEnv* env) const;
  bool watches_labels() const { return triggers_.has(options::FlightTrigger::Kind::kLatency); }
  bool is_on() const { return !triggers_.is_empty(); }
  // The reason to keep them, if a trigger fires. `allocations`: the session that samples allocations and measures
  // collections; null: none does. Without `env` it does not look for deadlocks.
  std::optional<std::string> reason(JNIEnv* env, const session::ProfileSession* allocations);
  uint64_t held_back() const { return triggers_.held_back(); }

 private:
  void read_clocks();
  void read_slow_labels();
  void read_allocations(const session::ProfileSession* session);

  options::FlightTriggers triggers_;
  vm::Vm* const vm_;
  events::MemoryExhaustion exhaustion_;
  options::FlightReadings now_;
  const session::ProfileSession* read_from_ = nullptr;  // compared only
  session::ProfileSession::Allocated last_;
  int64_t looked_for_deadlocks_ns_ = 0;
};

}  // namespace hearth::always_on
