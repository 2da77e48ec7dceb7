#include "base/clocks.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

#include <ctime>

namespace hearth {
namespace {

#if defined(__x86_64__)

bool has_one_rate() {
  constexpr unsigned kPowerLeaf = 0x80000007, kInvariant = 1 << 8;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(kPowerLeaf, &a, &b, &c, &d) != 0 && (d & kInvariant) != 0;
}

int64_t measured() {
  if (!has_one_rate()) return 0;
  constexpr int64_t kLengthNs = 10'000'000;
  int64_t start_ns = clock_ns(CLOCK_MONOTONIC), end_ns = start_ns;
  uint64_t start = cycle_counter();
  while (end_ns - start_ns < kLengthNs) {
    timespec rest = {0, kLengthNs - (end_ns - start_ns)};
    nanosleep(&rest, nullptr);
    end_ns = clock_ns(CLOCK_MONOTONIC);
  }
  return static_cast<int64_t>(static_cast<double>(cycle_counter() - start) * 1e9 /
                              static_cast<double>(end_ns - start_ns));
}

#else

int64_t measured() {
  uint64_t rate = 0;
  asm volatile("mrs %0, cntfrq_el0" : "=r"(rate));
  return static_cast<int64_t>(rate);
}

#endif

}  // namespace

uint64_t cycle_counter() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  uint64_t count = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#endif
}

int64_t cycles_per_second() {
  static const int64_t rate = measured();
  return rate;
}

}  // namespace hearth
