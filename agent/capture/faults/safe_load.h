// Loads from memory that may be unmapped, and calls that may fault. Signal safe. Both need an installed FaultHandler:
// without it a bad address is an ordinary SIGSEGV. A load costs a call and one move.
#pragma once

#include <cstdint>

extern "C" {
// Returns *address, or `fallback` if the load faults.
uint64_t hearth_safe_load(const void* address, uint64_t fallback);
uint32_t hearth_safe_load32(const void* address, uint32_t fallback);

// Calls function(a, b, c). Returns 0 if it returned, 1 if it faulted; its effects up to the fault stay.
int hearth_guarded_call(uint64_t* saved_sp, void (*function)(void*, void*, void*), void* a, void* b, void* c);
}

namespace hearth::capture {

inline uint64_t load(uintptr_t address, uint64_t fallback = 0) {
  return hearth_safe_load(reinterpret_cast<const void*>(address), fallback);
}
inline uint32_t load32(uintptr_t address, uint32_t fallback = 0) {
  return hearth_safe_load32(reinterpret_cast<const void*>(address), fallback);
}

// Calls `function` guarded on this thread; false if it faulted. Guards nest; a fault ends the innermost one.
bool guarded(void (*function)(void*, void*, void*), void* a, void* b, void* c);

}  // namespace hearth::capture
