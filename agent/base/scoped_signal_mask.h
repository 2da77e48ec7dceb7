// Blocks signals in its scope, and so in threads that are created in it: the application's signals are not for threads
// of the agent. Signals that a thread raises itself, by a fault or a breakpoint, stay open: blocked, they would end the
// process.
#pragma once

#include <pthread.h>

#include <csignal>

namespace hearth {

class ScopedSignalMask {
 public:
  ScopedSignalMask() {
    sigset_t all;
    sigfillset(&all);
    for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigdelset(&all, own);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ScopedSignalMask(const ScopedSignalMask&) = delete;
  ScopedSignalMask& operator=(const ScopedSignalMask&) = delete;
  ~ScopedSignalMask() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace hearth
