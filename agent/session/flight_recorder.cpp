#include "session/flight_recorder.h"

#include <csignal>
#include <ctime>
#include <utility>

#include "events/deadlocks.h"
#include "events/handlers/freeze_signal.h"
#include "events/thread_clock.h"

namespace hearth::session {
namespace {

using Kind = FlightTrigger::Kind;

constexpr int64_t kDeadlockPeriodNs = 10'000'000'000;  // the JVM stops for each search

}  // namespace

FlightRecorder::FlightRecorder(std::vector<FlightTrigger> triggers, const FlightDoors& doors)
    : triggers_(std::move(triggers)), jvmti_(doors.jvmti) {
  if (triggers_.has(Kind::kSignal))
    signal_.take_only(SIGUSR1, events::on_freeze_signal, "leave signal out of on=, or free that signal");
  if (triggers_.has(Kind::kOutOfMemory)) exhaustion_.start(doors.java_vm);
  read_clocks();
  triggers_.reason(now_);  // what was before
}

void FlightRecorder::read_clocks() {
  now_.time_ns = static_cast<int64_t>(capture::now_ns());
  now_.cpu_ns = events::clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  jint cpus = 0;
  if (jvmti_->GetAvailableProcessors(&cpus) == JVMTI_ERROR_NONE) now_.cpus = cpus;  // knows containers' quotas
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
  read_allocations(allocations);
  if (triggers_.has(Kind::kDeadlock) && now_.time_ns >= looked_for_deadlocks_ns_ + kDeadlockPeriodNs) {
    now_.deadlocked_threads = events::deadlocked_threads(env);
    looked_for_deadlocks_ns_ = now_.time_ns;
  }
  return triggers_.reason(now_);
}

}  // namespace hearth::session
