// Files of the kernel about one thread of this process, in /proc/self/task. Needs no rights; not signal safe. One
// thread.
#pragma once

#include <cstdint>

#include "base/owned.h"

namespace hearth::events {

// Returns the bit of a signal in the kernel's masks.
constexpr uint64_t bit_of(int signal) {
  return uint64_t{1} << (signal - 1);
}

class TaskFiles {
 public:
  TaskFiles();

  struct SyscallState {
    bool known = false;    // false: the thread has ended, or this kernel has no such file
    bool blocked = false;  // false: it is on a CPU or waits for one
    int number = -1;       // of the system call that it is blocked in; -1: in none, as during a page fault
    uintptr_t argument = 0;
    uintptr_t sp = 0;
  };
  SyscallState syscall_state_of(int tid) const;

  struct Signals {
    uint64_t pending = 0;  // sent to this thread and not delivered yet
    uint64_t blocked = 0;
  };
  // Masks of bit_of(). Empty for a thread that has ended.
  Signals signals_of(int tid) const;

  // Returns the time that the thread has waited for a CPU since it began (ns), 0 if this kernel does not count it.
  int64_t run_delay_ns(int tid) const;

 private:
  UniqueFd tasks_;
};

// Parse the text of a thread's `syscall` file and of its `status` file.
TaskFiles::SyscallState parse_syscall_file(const char* text);
TaskFiles::Signals parse_signals(const char* text);

}  // namespace hearth::events
