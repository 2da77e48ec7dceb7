#include "base/thread_data.h"

#include <cstddef>
#include <system_error>
#include <thread>

#include "base/error.h"
#include "base/formatted.h"
#include "base/scoped_signal_mask.h"

// Only glibc has it.
extern "C" __attribute__((weak)) const char* gnu_get_libc_version();

namespace hearth {
namespace {

thread_local char t_any = 0;

// Static data has the same place behind the thread pointer in each thread.
ptrdiff_t distance_from_thread_pointer() {
  const char* own = &t_any;
  // GCC folds the difference into one instruction, which ld cannot link into a program.
  asm volatile("" : "+r"(own));
  return own - static_cast<const char*>(__builtin_thread_pointer());
}

bool has_same_distance_elsewhere() {
  ptrdiff_t elsewhere = 0;
  ScopedSignalMask blocked;
  try {
    std::thread other([&elsewhere] { elsewhere = distance_from_thread_pointer(); });
    other.join();
  } catch (const std::system_error& error) {
    throw Error(formatted("no thread can be made ({})", error.what()),
                "raise the limit on threads (ulimit -u, pids cgroup)");
  }
  return elsewhere == distance_from_thread_pointer();
}

}  // namespace

bool is_thread_data_ready() {
  static const bool is_ready = gnu_get_libc_version == nullptr || has_same_distance_elsewhere();
  return is_ready;
}

}  // namespace hearth
