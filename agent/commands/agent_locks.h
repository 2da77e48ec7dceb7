// The agent's two locks, in the order in which they are taken:
//
//   commands()    Held by each command that changes something, and while a session's model is built. A dump releases it
//     |           before it writes its file.
//     v
//   state()       Guards the sessions' and the store's state. Questions take this one alone, so a dump does not hold it
//     |           while it builds a model or writes a file. The store's windows are built under it.
//     v
//   leaf locks    Of OwnThreads (then of SessionTable), OutputWriter and the store's thread. Callbacks of threads and
//                 classes take only these; VMInit and VMDeath take all.
#pragma once

#include <atomic>
#include <mutex>

#include "base/log.h"
#include "vm/vm.h"

namespace hearth::commands {

class AgentLocks {
 public:
  using Lock = std::unique_lock<std::mutex>;

  // `vm` and `log` outlive this.
  AgentLocks(const vm::Vm* vm, Log* log) : vm_(vm), log_(log) {}

  std::mutex& commands() { return commands_; }
  std::mutex& state() { return state_; }

  // Locks one of the two. At the JVM's end it waits for a command that holds the lock, for a bounded time: a JVM
  // that waits in VMDeath ignores SIGTERM. Returns an empty lock when the time is over; the log then reports the loss.
  Lock lock_to_end(std::mutex* mutex);

 private:
  const vm::Vm* vm_;
  Log* log_;
  std::mutex commands_;
  std::mutex state_;
  std::atomic<bool> has_given_up_{false};
};

}  // namespace hearth::commands
