#include "base/random.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>

namespace hearth {

bool fill_random(void* bytes, size_t size) {
  auto* next = static_cast<unsigned char*>(bytes);
  while (size > 0) {
    auto got = ::syscall(SYS_getrandom, next, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

uint32_t random_seed() {
  static std::atomic<uint64_t> calls{0};
  // The time and the address that the loader chose, mixed as splitmix64 does (Steele, Lea, Flood: Fast splittable
  // pseudorandom number generators, 2014).
  uint64_t state = static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()) ^
                   (reinterpret_cast<uintptr_t>(&calls) << 20U);
  state += 0x9e3779b97f4a7c15U * (calls.fetch_add(1, std::memory_order_relaxed) + 1);
  state = (state ^ (state >> 30U)) * 0xbf58476d1ce4e5b9U;
  state = (state ^ (state >> 27U)) * 0x94d049bb133111ebU;
  return static_cast<uint32_t>((state ^ (state >> 31U)) >> 32U);
}

}  // namespace hearth
