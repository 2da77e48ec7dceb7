#include "capture/faults/traps.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "capture/arch/registers.h"

namespace hearth::capture {
namespace {

struct Trap {
  std::atomic<uintptr_t> address{0};
  FirstInstruction instruction;
  std::atomic<void (*)(const ucontext_t*)> action{nullptr};
};

Trap g_traps[kMaxTraps];
std::atomic<int> g_trap_count{0};
struct sigaction g_before;
bool g_taken = false;

Trap* trap_at(uintptr_t address) {
  int count = g_trap_count.load(std::memory_order_acquire);
  for (int i = 0; i < count; i++) {
    if (g_traps[i].address.load(std::memory_order_relaxed) == address) return g_traps + i;
  }
  return nullptr;
}

void pass_on(int signal, siginfo_t* info, void* context) {
  if ((g_before.sa_flags & SA_SIGINFO) != 0) {
    g_before.sa_sigaction(signal, info, context);
  } else if (g_before.sa_handler == SIG_DFL) {
    // Restores the default, the end of the process, which takes effect after this handler has returned.
    sigaction(signal, &g_before, nullptr);
    syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), signal);
  } else if (g_before.sa_handler != SIG_IGN) {
    g_before.sa_handler(signal);
  }
}

void on_trap(int signal, siginfo_t* info, void* context) {
  auto* interrupted = static_cast<ucontext_t*>(context);
  Registers registers = Registers::of(interrupted);
  uintptr_t address = registers.pc - kBreakpointAdvance;
  bool is_breakpoint = info->si_code == SI_KERNEL || info->si_code == TRAP_BRKPT;
  Trap* trap = is_breakpoint ? trap_at(address) : nullptr;
  if (trap == nullptr) return pass_on(signal, info, context);
  registers.pc = address;
  registers.put_into(interrupted);
  if (auto* action = trap->action.load(std::memory_order_acquire)) action(interrupted);
  carry_out(trap->instruction, address, interrupted);
}

}  // namespace

bool take_breakpoints() {
  if (g_taken) {
    struct sigaction current {};
    sigaction(SIGTRAP, nullptr, &current);
    return (current.sa_flags & SA_SIGINFO) != 0 && current.sa_sigaction == on_trap;
  }
  struct sigaction mine {};
  mine.sa_sigaction = on_trap;
  mine.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  // Blocks the C library's own signals, too, which sigfillset() leaves out: they mark a thread that blocks signals only
  // for a moment (sigtrap_blocked_threads.h). SIGSEGV stays open: a push may touch the stack's guard page, for HotSpot.
  std::memset(&mine.sa_mask, UINT8_MAX, sizeof mine.sa_mask);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigdelset(&mine.sa_mask, fault);
  g_taken = sigaction(SIGTRAP, &mine, &g_before) == 0;
  return g_taken;
}

bool set_trap(uintptr_t address, const FirstInstruction& instruction, TrapAction action) {
  Trap* trap = trap_at(address);
  if (trap == nullptr) {
    int count = g_trap_count.load(std::memory_order_relaxed);
    if (count == kMaxTraps) return false;
    trap = g_traps + count;
    trap->address.store(address, std::memory_order_relaxed);
    g_trap_count.store(count + 1, std::memory_order_release);
  }
  trap->instruction = instruction;
  trap->action.store(action.get(), std::memory_order_release);
  return true;
}

}  // namespace hearth::capture
