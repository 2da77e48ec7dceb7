// The common part of the fuzzers' programs.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

namespace hearth {

inline void expect(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

// The most memory that this process has had.
inline long peak_mb() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss / 1024;
}

// PROGRAM [COUNT [SEED]]: 1 where it throws.
inline int fuzz_main(int argc, char** argv, void (*fuzz)(uint64_t count, uint64_t seed)) {
  try {
    fuzz(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000, argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace hearth
