#include "events/handlers/interrupted_syscall.h"

#include <linux/futex.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "capture/faults/safe_load.h"

namespace hearth::events {
namespace {

constexpr uint32_t kSyscallInstruction = 0x050f;
constexpr uint32_t kInstructionSize = 2;

bool is_syscall_instruction(uintptr_t address) {
  return (capture::load32(address) & 0xffff) == kSyscallInstruction;
}

// Values of share/runtime/osThread.hpp, the same in JDK 8 to 27.
constexpr int kMonitorWait = 3;
constexpr int kObjectWait = 5;
constexpr int kThreadBlocked = 10;  // JavaThreadState

ThreadState state_in_futex(const SystemCall& call, const JavaThreadStates& java) {
  if (java.os_thread == kMonitorWait) return ThreadState::kMonitor;
  if (java.os_thread == kObjectWait) return ThreadState::kWaiting;
  // HotSpot's barrier (waitBarrier_linux.cpp) uses a futex operation that glibc uses for mutexes only, and there always
  // with the value 2; condition variables and semaphores use others.
  auto operation = static_cast<int>(call.arguments[1]) & FUTEX_CMD_MASK;
  constexpr uintptr_t kLockedMutex = 2;
  bool barrier = operation == FUTEX_WAIT && call.arguments[2] != kLockedMutex;
  return barrier && java.thread == kThreadBlocked ? ThreadState::kBarrier : ThreadState::kFutex;
}

// Uses a call that never waits for a file system.
ThreadState state_in_io(uintptr_t fd) {
  int type = 0;
  socklen_t size = sizeof type;
  long result = syscall(SYS_getsockopt, static_cast<int>(fd), SOL_SOCKET, SO_TYPE, &type, &size);
  return result == 0 ? ThreadState::kSocket : ThreadState::kFile;
}

ThreadState state_in_poll(uintptr_t descriptors) {
  return descriptors == 0 ? ThreadState::kSleeping : ThreadState::kSocket;
}

}  // namespace

// The kernel sets the pc back to the instruction when it will restart the call. Otherwise the call returns EINTR, and
// the thread's registers do not have the number any more (arch/x86/kernel/signal.c, handle_signal): then `number`
// counts, if the stack pointer is unchanged. That holds for a call which ended before the thread got a CPU for the
// signal, too: the state at the time of the look is the answer.
SystemCall interrupted_syscall(const ucontext_t* interrupted, int number, uintptr_t sp) {
  const greg_t* registers = interrupted->uc_mcontext.gregs;
  SystemCall call;
  call.sp = static_cast<uintptr_t>(registers[REG_RSP]);
  constexpr int kArguments[3] = {REG_RDI, REG_RSI, REG_RDX};
  for (int i = 0; i < 3; i++) call.arguments[i] = static_cast<uintptr_t>(registers[kArguments[i]]);
  auto pc = static_cast<uintptr_t>(registers[REG_RIP]);
  constexpr greg_t kHighestNumber = 1023;
  greg_t rax = registers[REG_RAX];
  if (rax >= 0 && rax <= kHighestNumber && is_syscall_instruction(pc)) {
    call.number = static_cast<int>(rax);
  } else if (is_syscall_instruction(pc - kInstructionSize)) {
    bool was_seen = number >= 0 && sp == call.sp;
    if (was_seen) call.number = number;
    if (!was_seen && rax == -EINTR) call.number = SystemCall::kUnknown;
  }
  return call;
}

ThreadState state_in(const SystemCall& call, const JavaThreadStates& java) {
  switch (call.number) {
    case SystemCall::kNone:
      return ThreadState::kNone;
    case SYS_futex:
      return state_in_futex(call, java);
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
      return ThreadState::kSleeping;
    case SYS_poll:
    case SYS_ppoll:
      return state_in_poll(call.arguments[1]);
    case SYS_select:
    case SYS_pselect6:
      return state_in_poll(call.arguments[0]);
    case SYS_accept:
    case SYS_accept4:
    case SYS_connect:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_recvmmsg:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_sendmmsg:
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
      return ThreadState::kSocket;
    case SYS_read:
    case SYS_readv:
    case SYS_write:
    case SYS_writev:
    case SYS_sendfile:
    case SYS_close:
      return state_in_io(call.arguments[0]);
    case SYS_pread64:
    case SYS_preadv:
    case SYS_pwrite64:
    case SYS_pwritev:
    case SYS_copy_file_range:
    case SYS_open:
    case SYS_openat:
    case SYS_stat:
    case SYS_lstat:
    case SYS_fstat:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_getdents64:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_rename:
    case SYS_renameat2:
    case SYS_unlink:
    case SYS_unlinkat:
    case SYS_fcntl:
    case SYS_flock:
      return ThreadState::kFile;
    default:
      return ThreadState::kSyscall;
  }
}

}  // namespace hearth::events
