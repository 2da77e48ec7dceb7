// Functions that programs call in place of those that take a lock of the C library, while native locks are sampled.
// They try to take it first, and measure the wait if another thread has it. Signal safe.
#pragma once

#include <array>
#include <cstdint>

#include "events/handlers/hook_places.h"

namespace hearth::events {

struct NativeLockSampling : HookSampling {
  uint64_t began_ns = 0;  // CLOCK_MONOTONIC
};

// A function of the C library, and its hook.
struct LockHook {
  const char* name;
  uintptr_t code;
  // Filled before the first call of the hook: the function, and the one that takes a free lock or returns EBUSY.
  uintptr_t* real;
  uintptr_t* attempt;
};
inline constexpr size_t kLockHooks = 3;
// Of mutexes, and of read-write locks to read and to write.
std::array<LockHook, kLockHooks> lock_hooks();

HookPlaces<NativeLockSampling>* lock_samplings();
// Lets the hooks measure waits, or only call the real functions.
void measure_native_locks(bool measures);

}  // namespace hearth::events
