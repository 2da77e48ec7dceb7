#include "always_on/flight_recorder.h"

#include <algorithm>
#include <csignal>
#include <ctime>
#include <utility>

#include "base/clocks.h"
#include "base/error.h"
#include "events/handlers/freeze_signal.h"
#include "events/profiling_signal.h"
#include "events/vm/deadlocks.h"

namespace hearth::always_on {
namespace {

using Kind = options::FlightTrigger::Kind;

constexpr int64_t kDeadlockPeriodNs = 10'000'000'000;  // the JVM stops for each search

// Keeps the signal permanently: by default, one that is sent a moment too late ends the JVM.
void take_freeze_signal() {
  static auto* const signal = new events::ProfilingSignal;
  if (!signal->is_held())
    signal->take_only(SIGUSR1, events::kFreezeSignalHandler, "leave signal out of on=, or free that signal");
}

}  // namespace

FlightRecorder::FlightRecorder(std::vector<options::FlightTrigger> triggers, vm::Vm* vm)
    : triggers_(std::move(triggers)), vm_(vm) {
  if (triggers_.has(Kind::kSignal)) take_freeze_signal();
  if (triggers_.has(Kind::kOutOfMemory)) exhaustion_.start(vm->java_vm);
  double least = 0;
  for (const options::FlightTrigger& trigger : triggers_.all())
    if (trigger.kind == Kind::kLatency && (least == 0 || trigger.limit < least)) least = trigger.limit;
  vm_->slow_labels.set_limit(std::max<int64_t>(static_cast<int64_t>(least), least > 0 ? 1 : 0));
  read_clocks();
  triggers_.reason(now_);  // sets the start
}

void FlightRecorder::start(JNIEnv* env) const {
  if (triggers_.has(Kind::kDeadlock) && !events::deadlocked_threads(env))
    throw Error("deadlocks cannot be looked for: this JVM is without the module java.management",
                "add that module, or leave deadlock out of on=");
}

// Keeps the slowest value of each label.
void FlightRecorder::read_slow_labels() {
  now_.slowest.clear();
  for (const auto& [number, took_ns] : vm_->slow_labels.take()) {
    for (const auto& [key, value] : vm_->labels.of(number)) {
      options::FlightReadings::Slow& slowest = now_.slowest[key];
      if (took_ns > slowest.took_ns) slowest = {value, took_ns};
    }
  }
}

void FlightRecorder::read_clocks() {
  now_.time_ns = static_cast<int64_t>(capture::now_ns());
  now_.cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  jint cpus = 0;
  if (vm_->jvmti->GetAvailableProcessors(&cpus) == JVMTI_ERROR_NONE) now_.cpus = cpus;  // knows containers' quotas
  now_.out_of_memory = events::MemoryExhaustion::count();
  now_.signals = events::freeze_signals();
}

// Sums over all sessions that have sampled allocations.
void FlightRecorder::read_allocations(const session::ProfileSession* session) {
  if (session == nullptr) return;
  session::ProfileSession::Allocated allocated = session->allocated();
  // Leaves out the counts of an older session.
  constexpr int64_t kNew = 2'000'000'000;
  if (session != read_from_) last_ = session->duration_ns() < kNew ? session::ProfileSession::Allocated() : allocated;
  read_from_ = session;
  now_.allocated_bytes += std::max<int64_t>(allocated.bytes - last_.bytes, 0);
  now_.gc_pause_ns += std::max<int64_t>(allocated.gc_pause_ns - last_.gc_pause_ns, 0);
  last_ = allocated;
}

std::optional<std::string> FlightRecorder::reason(JNIEnv* env, const session::ProfileSession* allocations) {
  read_clocks();
  read_slow_labels();
  read_allocations(allocations);
  if (env != nullptr && triggers_.has(Kind::kDeadlock) &&
      now_.time_ns >= looked_for_deadlocks_ns_ + kDeadlockPeriodNs) {
    now_.deadlocked_threads = events::deadlocked_threads(env).value_or(0);
    looked_for_deadlocks_ns_ = now_.time_ns;
  }
  return triggers_.reason(now_);
}

}  // namespace hearth::always_on
