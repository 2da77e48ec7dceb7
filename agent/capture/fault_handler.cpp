#include "capture/fault_handler.h"

#include <ucontext.h>

#include <atomic>

extern "C" {
extern const char hearth_safe_load_at[];
extern const char hearth_safe_load_done[];
extern const char hearth_safe_load32_at[];
extern const char hearth_safe_load32_done[];
extern const char hearth_guarded_call_faulted[];
}

namespace hearth::capture {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS};
struct sigaction g_before[2];
std::atomic<bool> g_chained[2];

bool is_ours(const struct sigaction& action);

uint64_t at(const char* label) {
  return reinterpret_cast<uint64_t>(label);
}

// True when the fault was ours and the context now continues after it.
bool undo(ucontext_t* context) {
  greg_t* regs = context->uc_mcontext.gregs;
  uint64_t pc = static_cast<uint64_t>(regs[REG_RIP]);
  if (pc == at(hearth_safe_load_at)) {
    regs[REG_RIP] = static_cast<greg_t>(at(hearth_safe_load_done));
    return true;
  }
  if (pc == at(hearth_safe_load32_at)) {
    regs[REG_RIP] = static_cast<greg_t>(at(hearth_safe_load32_done));
    return true;
  }
  uint64_t guard = take_guard_sp();
  if (guard == 0) return false;
  regs[REG_RSP] = static_cast<greg_t>(guard);
  regs[REG_RIP] = static_cast<greg_t>(at(hearth_guarded_call_faulted));
  return true;
}

void on_fault(int signal, siginfo_t* info, void* context) {
  if (undo(static_cast<ucontext_t*>(context))) return;
  const struct sigaction& before = g_before[signal == SIGSEGV ? 0 : 1];
  if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction != nullptr) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
    // The instruction faults again on return, and then for good.
    sigaction(signal, &before, nullptr);
  } else {
    before.sa_handler(signal);
  }
}

bool is_ours(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_fault;
}

}  // namespace

void FaultHandler::install() {
  if (installed_) return;
  installed_ = true;
  for (int i = 0; i < 2; i++) {
    struct sigaction current {};
    sigaction(kSignals[i], nullptr, &current);
    if (is_ours(current)) continue;
    // Still chained somewhere under a foreign handler: installing again would make a loop of the two.
    if (g_chained[i].exchange(true)) continue;
    g_before[i] = current;
    struct sigaction mine = current;
    mine.sa_sigaction = on_fault;
    mine.sa_flags |= SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    mine.sa_flags &= ~static_cast<int>(SA_RESETHAND);
    sigaction(kSignals[i], &mine, nullptr);
  }
}

void FaultHandler::remove() {
  if (!installed_) return;
  installed_ = false;
  for (int i = 0; i < 2; i++) {
    struct sigaction current {};
    sigaction(kSignals[i], nullptr, &current);
    if (!is_ours(current)) continue;
    sigaction(kSignals[i], &g_before[i], nullptr);
    g_chained[i] = false;
  }
}

}  // namespace hearth::capture
