#include "events/handlers/interrupted_syscall.h"

#include <linux/futex.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "capture/arch/registers.h"
#include "capture/faults/safe_load.h"

namespace hearth::events {
namespace {

bool is_syscall_instruction(uintptr_t address) {
  return (capture::load32(address) & capture::kSyscallInstructionMask) == capture::kSyscallInstruction;
}

constexpr int kThreadBlocked = 10;  // JavaThreadState

ThreadState state_in_futex(const SystemCall& call, const JavaThreadStates& java) {
  if (java.os_thread == JavaThreadStates::kMonitorWait) return ThreadState::kMonitor;
  if (java.os_thread == JavaThreadStates::kObjectWait) return ThreadState::kWaiting;
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

// The kernel sets the pc back to the instruction when it will restart the call. Otherwise the call returns EINTR, in
// the register that had the number on x86-64 (arch/x86/kernel/signal.c, handle_signal), and the first argument on
// aarch64 (arch/arm64/kernel/signal.c, do_signal). Then those that were observed count, if the stack pointer is
// unchanged. That holds for a call which ended before the thread got a CPU for the signal, too: the state at the time
// of the look is the answer.
SystemCall interrupted_syscall(const ucontext_t* interrupted, const capture::ObservedCall& observed) {
  const capture::Registers at = capture::Registers::of(interrupted);
  SystemCall call;
  call.sp = at.sp;
  for (int i = 0; i < 3; i++) call.arguments[i] = capture::argument_register(interrupted, i);
  constexpr int64_t kHighestNumber = 1023;
  int64_t kept = capture::syscall_number(interrupted);
  bool is_number = kept >= 0 && kept <= kHighestNumber;
  if (is_number && is_syscall_instruction(at.pc)) {
    call.number = static_cast<int>(kept);
  } else if (is_syscall_instruction(at.pc - capture::kSyscallInstructionSize)) {
    bool was_seen = observed.number >= 0 && observed.sp == call.sp;
    bool was_cut_off = capture::syscall_result(interrupted) == -EINTR;
    if (was_seen) call.number = observed.number;
    if (was_seen && capture::kSyscallNumberStays) call.arguments[0] = observed.argument;
    if (!was_seen && was_cut_off)
      call.number = capture::kSyscallNumberStays && is_number ? static_cast<int>(kept) : SystemCall::kUnknown;
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
    case SYS_ppoll:
#ifdef SYS_poll
    case SYS_poll:
#endif
      return state_in_poll(call.arguments[1]);
    case SYS_pselect6:
#ifdef SYS_select
    case SYS_select:
#endif
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
    case SYS_epoll_pwait:
#ifdef SYS_epoll_wait
    case SYS_epoll_wait:
#endif
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
    case SYS_openat:
    case SYS_renameat:
    case SYS_fstat:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_getdents64:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_renameat2:
    case SYS_unlinkat:
    case SYS_fcntl:
    case SYS_flock:
#ifdef SYS_open  // newer processors have only the calls with a folder
    case SYS_open:
    case SYS_stat:
    case SYS_lstat:
    case SYS_rename:
    case SYS_unlink:
#endif
      return ThreadState::kFile;
    default:
      return ThreadState::kSyscall;
  }
}

}  // namespace hearth::events
