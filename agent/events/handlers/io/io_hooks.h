// Functions that programs call in place of those of the C library that read, write, connect, accept and look up hosts,
// while I/O is sampled: they call the real one, and measure how long it takes. Signal safe, as the functions are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "events/handlers/hook_places.h"
#include "events/handlers/io/io_traits.h"

namespace hearth::events {

struct IoSampling : HookSampling {
  uint64_t began_ns = 0;           // CLOCK_MONOTONIC
  IoTraits* traits = nullptr;      // receives what the calls were for
  bool names_targets = true;       // files and peers, not only their kinds
  uint16_t first_short_lived = 0;  // see target_of()
};

// A function of the C library, and its hook. Names of one function share both.
struct IoHook {
  const char* name;
  uintptr_t code;
  uintptr_t* real;  // filled before the first call of the hook
};
inline constexpr size_t kIoHooks = 23;
std::array<IoHook, kIoHooks> io_hooks();

HookPlaces<IoSampling>* io_samplings();
// Lets the hooks measure, for the published sampling's interval, or only call the real functions: -1.
void measure_io(int64_t interval);

}  // namespace hearth::events
