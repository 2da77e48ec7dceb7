#include "capture/faults/fault_handler.h"

#include <ucontext.h>

#include "capture/arch/registers.h"

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

// Another library may install a handler over ours, pass faults on to it or not, and remove its own or not: none of this
// can be observed. So a covered handler of ours stays, and the next session installs another one on top; each level
// keeps the handler that it replaced.
constexpr int kLevels = 4;
struct Level {
  struct sigaction before[2];
  bool in_use = false;
  int users = 0;
};
Level g_levels[kLevels];

uint64_t at(const char* label) {
  return reinterpret_cast<uint64_t>(label);
}

// True if the fault was ours; the context then continues after it.
bool undo(ucontext_t* context) {
  Registers registers = Registers::of(context);
  if (registers.pc == at(hearth_safe_load_at)) {
    registers.pc = at(hearth_safe_load_done);
  } else if (registers.pc == at(hearth_safe_load32_at)) {
    registers.pc = at(hearth_safe_load32_done);
  } else {
    registers.sp = take_guard_sp();
    if (registers.sp == 0) return false;
    registers.pc = at(hearth_guarded_call_faulted);
  }
  registers.put_into(context);
  return true;
}

template <int kLevel>
void on_fault(int signal, siginfo_t* info, void* context) {
  if (undo(static_cast<ucontext_t*>(context))) return;
  const struct sigaction& before = g_levels[kLevel].before[signal == SIGSEGV ? 0 : 1];
  if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction != nullptr) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
    // Restores the default: the instruction faults again on return, and then ends the process.
    sigaction(signal, &before, nullptr);
  } else {
    before.sa_handler(signal);
  }
}

using Handler = void (*)(int, siginfo_t*, void*);
constexpr Handler kHandlers[kLevels] = {on_fault<0>, on_fault<1>, on_fault<2>, on_fault<3>};

bool stands(int signal, int level) {
  struct sigaction current {};
  sigaction(signal, nullptr, &current);
  return (current.sa_flags & SA_SIGINFO) != 0 && current.sa_sigaction == kHandlers[level];
}

bool stands(int level) {
  return stands(SIGSEGV, level) && stands(SIGBUS, level);
}

}  // namespace

bool FaultHandler::install() {
  if (level_ >= 0) return true;
  int level = 0;
  while (level < kLevels && g_levels[level].in_use && !stands(level)) level++;
  if (level == kLevels) return false;
  level_ = level;
  g_levels[level].users++;
  if (g_levels[level].in_use) return true;
  g_levels[level].in_use = true;
  for (int i = 0; i < 2; i++) {
    struct sigaction* before = &g_levels[level].before[i];
    sigaction(kSignals[i], nullptr, before);
    struct sigaction mine = *before;
    mine.sa_sigaction = kHandlers[level];
    mine.sa_flags |= SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    mine.sa_flags &= ~static_cast<int>(SA_RESETHAND);
    sigaction(kSignals[i], &mine, nullptr);
  }
  return true;
}

bool FaultHandler::renew() {
  if (level_ < 0 || stands(level_)) return true;
  g_levels[level_].users--;  // stays in use: covered handlers pass all faults on
  level_ = -1;
  return install();
}

void FaultHandler::remove() {
  if (level_ < 0) return;
  if (--g_levels[level_].users > 0) {
    level_ = -1;
    return;
  }
  bool covered = false;
  for (int i = 0; i < 2; i++) {
    if (stands(kSignals[i], level_)) {
      sigaction(kSignals[i], &g_levels[level_].before[i], nullptr);
    } else {
      covered = true;
    }
  }
  g_levels[level_].in_use = covered;
  level_ = -1;
}

}  // namespace hearth::capture
