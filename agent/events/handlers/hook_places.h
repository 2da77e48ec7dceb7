// What hooks in the place of functions of other libraries share. Threads may call such a hook at any time, also after
// the sampling and in the child of a fork. Signal safe.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <utility>

#include "capture/recorder.h"
#include "events/handlers/cached_slot.h"
#include "events/handlers/published.h"

namespace hearth::events {

// The state of a running session for its hooks.
struct HookSampling {
  uint64_t number = 0;  // see Published
  uint16_t event = 0;
  int64_t interval = 0;  // 0: everything
  capture::Recorder* recorder = nullptr;
  SlotsByThread slots_by_thread;
  int pid = 0;  // the process that is sampled

  // False in the child of a fork, which has no thread that counts samples.
  bool is_of_this_process() const { return pid == syscall(SYS_getpid); }
};

// The kinds of hooks, whose samplings have different numbers: of functions of other libraries, and of Java methods.
enum class HookKind : uint32_t {
  kMemory,
  kLocks,
  kIo,
  kCount,
  kCalls = kCount,
  kTimedCalls,
  kExceptions,
  kWakers,
  kVirtualWaits
};

inline constexpr uint32_t kHookPlaces = 4;  // of a kind

// Less than the numbers of the kind's samplings at the place.
constexpr uint64_t number_before(HookKind kind, uint32_t place) {
  return uint64_t{static_cast<uint32_t>(kind) * kHookPlaces + place} << 32;
}

// The places where the hooks of one kind find their state.
template <typename Sampling>
class HookPlaces {
 public:
  constexpr explicit HookPlaces(HookKind kind)
      : HookPlaces(kind, std::make_integer_sequence<uint32_t, kHookPlaces>()) {}

  // Null: a thread was held inside a hook at the end of each of too many samplings.
  Published<Sampling>* current() {
    uint32_t place = place_.load(std::memory_order_acquire);
    return place < kHookPlaces ? &places_[place] : nullptr;
  }
  // Gives the hooks another place: a thread is held inside one that uses the current one.
  void abandon() { place_.fetch_add(1, std::memory_order_acq_rel); }

 private:
  template <uint32_t... Place>
  constexpr HookPlaces(HookKind kind, std::integer_sequence<uint32_t, Place...>)
      : places_{Published<Sampling>(number_before(kind, Place))...} {}

  Published<Sampling> places_[kHookPlaces];
  std::atomic<uint32_t> place_{0};
};

}  // namespace hearth::events
