#include "session/flight_recorder.h"

#include <algorithm>
#include <csignal>
#include <ctime>
#include <utility>

#include "base/error.h"
#include "events/deadlocks.h"
#include "events/handlers/freeze_signal.h"
#include "events/profiling_signal.h"
#include "events/thread_clock.h"

namespace hearth::session {
namespace {

using Kind = FlightTrigger::Kind;

constexpr int64_t kDeadlockPeriodNs = 10'000'000'000;  // the JVM stops for each search

// For good: who sends the signal a moment too late would else end the JVM, as is the default.
void take_freeze_signal() {
  static auto* const signal = new events::ProfilingSignal;
  if (!signal->is_held())
    signal->take_only(SIGUSR1, events::on_freeze_signal, "leave signal out of on=, or free that signal");
}

}  // namespace

FlightRecorder::FlightRecorder(std::vector<FlightTrigger> triggers, Vm* vm) : triggers_(std::move(triggers)), vm_(vm) {
  if (triggers_.has(Kind::kSignal)) take_freeze_signal();
  if (triggers_.has(Kind::kOutOfMemory)) exhaustion_.start(vm->java_vm);
  double least = 0;
  for (const FlightTrigger& trigger : triggers_.all())
    if (trigger.kind == Kind::kLatency && (least == 0 || trigger.limit < least)) least = trigger.limit;
  vm_->slow_labels.set_limit(std::max<int64_t>(static_cast<int64_t>(least), least > 0 ? 1 : 0));
  read_clocks();
  triggers_.reason(now_);  // what was before
}

void FlightRecorder::start(JNIEnv* env) const {
  if (triggers_.has(Kind::kDeadlock) && !events::deadlocked_threads(env))
    throw Error("deadlocks cannot be looked for: this JVM is without the module java.management",
                "add that module, or leave deadlock out of on=");
}

// Of each label the value that took longest.
void FlightRecorder::read_slow_labels() {
  now_.slowest.clear();
  for (const auto& [number, took_ns] : vm_->slow_labels.take()) {
    for (const auto& [key, value] : vm_->labels.of(number)) {
      FlightReadings::Slow& slowest = now_.slowest[key];
      if (took_ns > slowest.took_ns) slowest = {value, took_ns};
    }
  }
}

void FlightRecorder::read_clocks() {
  now_.time_ns = static_cast<int64_t>(capture::now_ns());
  now_.cpu_ns = events::clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  jint cpus = 0;
  if (vm_->jvmti->GetAvailableProcessors(&cpus) == JVMTI_ERROR_NONE) now_.cpus = cpus;  // knows containers' quotas
  now_.out_of_memory = events::MemoryExhaustion::count();
  now_.signals = events::freeze_signals();
}

// Sessions come and go; the sums go on.
void FlightRecorder::read_allocations(const ProfileSession* session) {
  if (session == nullptr) return;
  ProfileSession::Allocated allocated = session->allocated();
  // What it had before it was known is none of ours.
  constexpr int64_t kNew = 2'000'000'000;
  if (session != read_from_) last_ = session->duration_ns() < kNew ? ProfileSession::Allocated() : allocated;
  read_from_ = session;
  now_.allocated_bytes += std::max<int64_t>(allocated.bytes - last_.bytes, 0);
  now_.gc_pause_ns += std::max<int64_t>(allocated.gc_pause_ns - last_.gc_pause_ns, 0);
  last_ = allocated;
}

std::optional<std::string> FlightRecorder::reason(JNIEnv* env, const ProfileSession* allocations) {
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

}  // namespace hearth::session
