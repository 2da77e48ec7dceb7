// Loads from memory that may not be there, and calls that may fault. Signal safe. Both need FaultHandler to be
// installed: without it a bad address is an ordinary SIGSEGV. A load costs a call and one move.
#pragma once

#include <cstdint>

extern "C" {
// *address, or `fallback` when reading it faults.
uint64_t hearth_safe_load(const void* address, uint64_t fallback);
uint32_t hearth_safe_load32(const void* address, uint32_t fallback);

// Calls function(a, b, c). 0 when it returned, 1 when it faulted; then everything it did up to the fault stays done.
int hearth_guarded_call(uint64_t* saved_sp, void (*function)(void*, void*, void*), void* a, void* b, void* c);
}

namespace hearth::capture {

inline uint64_t load(uintptr_t address, uint64_t fallback = 0) {
  return hearth_safe_load(reinterpret_cast<const void*>(address), fallback);
}
inline uint32_t load32(uintptr_t address, uint32_t fallback = 0) {
  return hearth_safe_load32(reinterpret_cast<const void*>(address), fallback);
}

// Runs `function` under guard on this thread; false when it faulted. Guards nest; a fault ends the innermost.
bool guarded(void (*function)(void*, void*, void*), void* a, void* b, void* c);

}  // namespace hearth::capture
