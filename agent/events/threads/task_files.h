// What the kernel tells of one thread of this process in /proc/self/task. Needs no rights; not signal safe. One thread.
#pragma once

#include <cstdint>

#include "base/owned.h"

namespace hearth::events {

// Of a signal in the kernel's masks.
constexpr uint64_t bit_of(int signal) {
  return uint64_t{1} << (signal - 1);
}

class TaskFiles {
 public:
  TaskFiles();

  struct Place {
    bool known = false;    // false: the thread has ended, or this kernel does not tell
    bool blocked = false;  // else it is on a CPU or waits for one
    int number = -1;       // of the system call that it is blocked in; -1: in none, as while a page is brought in
    uintptr_t argument = 0;
    uintptr_t sp = 0;
  };
  Place place_of(int tid) const;

  struct Signals {
    uint64_t pending = 0;  // sent to this thread and not delivered yet
    uint64_t blocked = 0;
  };
  // By bit_of(). None of a thread that has ended.
  Signals signals_of(int tid) const;

  // How long the thread has waited for a CPU since it began (ns), 0 when this kernel does not count it.
  int64_t run_delay_ns(int tid) const;

 private:
  UniqueFd tasks_;
};

// The text of a thread's `syscall` file, and of its `status` file.
TaskFiles::Place parse_place(const char* text);
TaskFiles::Signals parse_signals(const char* text);

}  // namespace hearth::events
