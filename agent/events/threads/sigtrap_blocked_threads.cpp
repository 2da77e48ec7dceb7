#include "events/threads/sigtrap_blocked_threads.h"

#include <chrono>
#include <csignal>
#include <thread>

#include "base/formatted.h"
#include "events/threads/task_files.h"
#include "events/threads/thread_follower.h"

namespace hearth::events {
namespace {

// Looks several times: programs block all signals for a moment, too, to create a thread that does or in a handler.
bool keeps_blocking(const TaskFiles& files, int tid) {
  constexpr int kLooks = 10;
  constexpr auto kBetween = std::chrono::milliseconds(5);
  for (int look = 0; look < kLooks; look++) {
    if (look > 0) std::this_thread::sleep_for(kBetween);
    if (!blocks_sigtrap(files.signals_of(tid).blocked)) return false;
  }
  return true;
}

}  // namespace

bool blocks_sigtrap(uint64_t mask) {
  constexpr int kKeptByTheLibrary = 32;  // glibc's SIGCANCEL
  return (mask & bit_of(SIGTRAP)) != 0 && (mask & bit_of(kKeptByTheLibrary)) == 0;
}

std::string thread_that_blocks_sigtrap() {
  TaskFiles files;
  for (int tid : tasks_of_process()) {
    if (keeps_blocking(files, tid)) return formatted("thread '{}' ({})", name_of_task(tid), tid);
  }
  return "";
}

}  // namespace hearth::events
