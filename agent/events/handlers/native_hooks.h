// Functions that programs call in place of malloc, mmap and their like while native memory is sampled: they call the
// real one, and count. Calls come on any thread, at any time, also after the sampling and in the child of a fork; they
// take no lock and no memory. Signal safe.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "events/handlers/hook_places.h"
#include "events/handlers/live_allocations.h"

namespace hearth::events {

// The state of the running session for the hooks.
struct NativeSampling : HookSampling {
  LiveAllocations* live = nullptr;      // follows the sampled allocations; may be null
  bool reports_releases = false;        // as samples
  std::atomic<uint64_t> unreported{0};  // releases, for lack of space
};

// A function of the C library, and its hook.
struct NativeHook {
  const char* name;
  uintptr_t code;
  uintptr_t* real;  // filled before the first call of the hook
  bool releases;    // memory; without need if allocations are not followed
};
inline constexpr size_t kNativeHooks = 13;
std::array<NativeHook, kNativeHooks> native_hooks();

HookPlaces<NativeSampling>* native_samplings();
// Lets the hooks count for the published sampling of this number, or for none: 0.
void count_native_memory(uint64_t number);
// Forgets which addresses are followed: the next sampling begins without. Not while one is published.
void forget_native_memory();
// Number of calls of forget_native_memory(): what a sampling followed can be followed on as long as it stays.
uint64_t native_memory_forgotten();

}  // namespace hearth::events
