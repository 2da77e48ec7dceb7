// Functions that programs call in place of malloc and its like while native memory is sampled: they call the real one,
// and count. Calls come on any thread, at any time, also after the sampling and in the child of a fork; they take no
// lock and no memory. Signal safe.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "capture/recorder.h"
#include "events/handlers/cached_slot.h"
#include "events/handlers/live_allocations.h"
#include "events/handlers/published.h"

namespace hearth::events {

// The state of the running session for the hooks.
struct NativeSampling {
  uint64_t number = 0;  // see Published
  uint16_t event = 0;
  int64_t interval = 0;  // 0: every allocation
  capture::Recorder* recorder = nullptr;
  SlotsByThread slots_by_thread;
  LiveAllocations* live = nullptr;      // follows the sampled allocations; may be null
  bool reports_releases = false;        // as samples
  int pid = 0;                          // the process that is sampled
  std::atomic<uint64_t> unreported{0};  // releases, for lack of space
};

// A function of the C library, and its hook.
struct NativeHook {
  const char* name;
  uintptr_t code;
  uintptr_t* real;  // filled before the first call of the hook
  bool releases;    // memory; without need if allocations are not followed
};
inline constexpr size_t kNativeHooks = 9;
std::array<NativeHook, kNativeHooks> native_hooks();

// Where the hooks find their state. Null: a thread was held inside a hook at the end of each of too many samplings.
Published<NativeSampling>* native_sampling();
// Gives the hooks another place to find their state: a thread is held inside one that uses the current one.
void abandon_native_sampling();
// Lets the hooks count for the published sampling of this number, or for none: 0. Then they follow no allocation any
// more.
void count_native_memory(uint64_t number);

}  // namespace hearth::events
