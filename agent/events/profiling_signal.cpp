#include "events/profiling_signal.h"

#include <cstring>
#include <initializer_list>
#include <string>

#include "base/error.h"
#include "base/formatted.h"

namespace hearth::events {
namespace {

constexpr int kCandidates[] = {SIGPROF, SIGVTALRM, SIGSTKFLT, SIGPWR};

// sigabbrev_np needs glibc 2.32.
std::string name_of(int number) {
  if (number == SIGPROF) return "SIGPROF";
  if (number == SIGUSR1) return "SIGUSR1";
  return formatted("signal {}", number);
}

}  // namespace

bool ProfilingSignal::try_take(int number, Handler handler) {
  struct sigaction current {};
  if (sigaction(number, nullptr, &current) != 0) return false;
  if ((current.sa_flags & SA_SIGINFO) != 0 || current.sa_handler != SIG_DFL) return false;
  struct sigaction mine {};
  mine.sa_sigaction = handler.get();
  mine.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  // Blocks all other signals in the handler, so that their effects are not taken for ours. Faults must be delivered.
  sigfillset(&mine.sa_mask);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigdelset(&mine.sa_mask, fault);
  if (sigaction(number, &mine, &before_) != 0) return false;
  number_ = number;
  handler_ = handler;
  return true;
}

void ProfilingSignal::take(Handler handler) {
  for (int number : kCandidates) {
    if (try_take(number, handler)) return;
  }
  throw NoFreeSignal(
      "SIGPROF, SIGVTALRM, SIGSTKFLT and SIGPWR all have handlers: a session needs one for cpu and one for wall, "
      "and counters one for all",
      "stop another session, or the other profiler in this process");
}

void ProfilingSignal::take(Handler handler, int chosen) {
  if (chosen == 0) return take(handler);
  if (!try_take(chosen, handler))
    throw NoFreeSignal(formatted("{} has a handler already, or cannot have one", name_of(chosen)),
                       "choose another signal, or leave the option out");
}

void ProfilingSignal::take_only(int number, Handler handler, const char* remedy) {
  if (!try_take(number, handler)) throw Error(formatted("{} has a handler already", name_of(number)), remedy);
}

bool ProfilingSignal::is_held() const {
  struct sigaction current {};
  return number_ != 0 && sigaction(number_, nullptr, &current) == 0 && (current.sa_flags & SA_SIGINFO) != 0 &&
         current.sa_sigaction == handler_.get();
}

void ProfilingSignal::release() {
  if (!is_held()) {
    number_ = 0;
    return;
  }
  // SIG_IGN makes the kernel drop the signals that are pending on any thread (signal(7)); the default action would end
  // the process.
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(number_, &ignore, nullptr);
  sigaction(number_, &before_, nullptr);
  number_ = 0;
}

}  // namespace hearth::events
