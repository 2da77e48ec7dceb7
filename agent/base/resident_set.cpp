#include "base/resident_set.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "base/seccomp.h"

// Only glibc has it.
extern "C" __attribute__((weak)) int malloc_trim(size_t pad);

namespace hearth {

int64_t resident_bytes(const Mapping& mapping) {
  static std::atomic<Survival> g_survival{Survival::kUnknown};
  if (g_survival == Survival::kUnknown) g_survival = survival_of({SYS_mincore});
  if (g_survival != Survival::kYes) return 0;
  constexpr size_t kPagesAtOnce = 4096;
  unsigned char pages[kPagesAtOnce];
  auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  int64_t bytes = 0;
  for (size_t at = 0; at < mapping.size(); at += kPagesAtOnce * page) {
    size_t length = std::min(mapping.size() - at, kPagesAtOnce * page);
    if (mincore(mapping.as<char>() + at, length, pages) != 0) return 0;
    for (size_t i = 0; i < (length + page - 1) / page; i++)
      bytes += (pages[i] & 1) != 0 ? static_cast<int64_t>(page) : 0;
  }
  return bytes;
}

void return_freed_memory() {
  if (malloc_trim != nullptr) malloc_trim(0);
}

}  // namespace hearth
