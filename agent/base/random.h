// Random numbers by the system call itself: std::random_device and getrandom(3) would tie the library to a new C
// library.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hearth {

// Fills `bytes` from the kernel's generator (getrandom(2)): fit for secrets. False with errno where there is none. May
// wait early in the system's start. Any thread, no signal handler.
bool fill_random(void* bytes, size_t size);

// A seed that differs from call to call and from process to process; no secret. Never fails, makes no system call. Any
// thread.
uint32_t random_seed();

}  // namespace hearth
