#include "events/handlers/interrupted_syscall.h"

#include <gtest/gtest.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <functional>
#include <thread>

#include "events/handlers/current_tid.h"
#include "events/threads/task_files.h"
#include "wait_until.h"

namespace hearth::events {
namespace {

// System calls of poll(2) and epoll_wait(2); newer processors have only the calls with a signal mask.
#ifdef SYS_poll
constexpr int kPoll = SYS_poll;
constexpr int kEpollWait = SYS_epoll_wait;
#else
constexpr int kPoll = SYS_ppoll;
constexpr int kEpollWait = SYS_epoll_pwait;
#endif

// The handler's result; a number is read from /proc first, as the sampler does.
capture::ObservedCall g_observed;
SystemCall g_call;
ThreadState g_state;
std::atomic<bool> g_handled{false};

void handle(int, siginfo_t*, void* context) {
  if (g_handled) return;
  g_call = interrupted_syscall(static_cast<ucontext_t*>(context), g_observed);
  g_state = state_in(g_call, {});
  g_handled = true;
}

class InterruptedSyscall : public testing::Test {
 protected:
  void SetUp() override {
    struct sigaction action {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGPROF, &action, &before_);
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets_), 0);
    ASSERT_EQ(pipe(pipes_), 0);
  }
  void TearDown() override {
    sigaction(SIGPROF, &before_, nullptr);
    for (int fd : {sockets_[0], sockets_[1], pipes_[0], pipes_[1]}) close(fd);
  }

  // Runs `block` on a thread, signals it in the call `number`, and lets it go by `release`.
  void interrupt(int number, const std::function<void()>& block, const std::function<void()>& release) {
    std::atomic<int> tid{0};
    std::thread thread([&] {
      tid = current_tid();
      block();
    });
    TaskFiles files;
    TaskFiles::SyscallState state;
    wait_until("the thread's system call", [&] {
      state = files.syscall_state_of(tid);
      return state.number == number;
    });
    g_observed = {state.number, state.argument, state.sp};
    g_handled = false;
    syscall(SYS_tgkill, getpid(), tid.load(), SIGPROF);
    wait_until("the handler", [] { return g_handled.load(); });
    release();
    thread.join();
    EXPECT_EQ(g_call.number, number);
    EXPECT_EQ(g_call.sp, state.sp);
    EXPECT_EQ(g_call.arguments[0], state.argument);
  }
  void write_to(int fd) { EXPECT_EQ(write(fd, "x", 1), 1); }

  int sockets_[2] = {};
  int pipes_[2] = {};
  struct sigaction before_ {};
};

TEST_F(InterruptedSyscall, OneThatIsRestarted) {
  char byte;
  interrupt(
      SYS_read, [&] { EXPECT_EQ(read(pipes_[0], &byte, 1), 1); }, [&] { write_to(pipes_[1]); });
  EXPECT_EQ(g_state, ThreadState::kFile);
  interrupt(
      SYS_read, [&] { EXPECT_EQ(read(sockets_[0], &byte, 1), 1); }, [&] { write_to(sockets_[1]); });
  EXPECT_EQ(g_state, ThreadState::kSocket);
  interrupt(
      SYS_recvfrom, [&] { EXPECT_EQ(recv(sockets_[0], &byte, 1, 0), 1); }, [&] { write_to(sockets_[1]); });
  EXPECT_EQ(g_state, ThreadState::kSocket);
}

TEST_F(InterruptedSyscall, OneThatAnswersEintr) {
  pollfd wanted = {pipes_[0], POLLIN, 0};
  interrupt(
      kPoll, [&] { EXPECT_EQ(poll(&wanted, 1, -1), -1); }, [] {});
  EXPECT_EQ(g_state, ThreadState::kSocket);
  int epoll = epoll_create1(0);
  epoll_event event{};
  interrupt(
      kEpollWait, [&] { EXPECT_EQ(epoll_wait(epoll, &event, 1, -1), -1); }, [] {});
  EXPECT_EQ(g_state, ThreadState::kSocket);
  close(epoll);
  timespec hour = {3600, 0};
  interrupt(
      SYS_clock_nanosleep, [&] { EXPECT_NE(nanosleep(&hour, nullptr), 0); }, [] {});
  EXPECT_EQ(g_state, ThreadState::kSleeping);
}

TEST_F(InterruptedSyscall, AThreadThatRunsIsInNone) {
  g_observed = {SystemCall::kNone, 0, 0};
  g_handled = false;
  std::atomic<int> tid{0};
  std::thread thread([&] {
    tid = current_tid();
    while (!g_handled) {
    }
  });
  wait_until("the thread", [&] { return tid.load() != 0; });
  syscall(SYS_tgkill, getpid(), tid.load(), SIGPROF);
  thread.join();
  EXPECT_EQ(g_call.number, SystemCall::kNone);
  EXPECT_EQ(g_state, ThreadState::kNone);
}

TEST(StateInCall, OfAFutexTheJvmKnowsTheReason) {
  SystemCall condition = {SYS_futex, {0x1000, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 0}, 0};
  EXPECT_EQ(state_in(condition, {10, 3}), ThreadState::kMonitor);
  EXPECT_EQ(state_in(condition, {10, 5}), ThreadState::kWaiting);
  EXPECT_EQ(state_in(condition, {10, 4}), ThreadState::kFutex);
  EXPECT_EQ(state_in(condition, {}), ThreadState::kFutex);
  SystemCall barrier = {SYS_futex, {0x1000, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 17}, 0};
  EXPECT_EQ(state_in(barrier, {10, 2}), ThreadState::kBarrier);
  EXPECT_EQ(state_in(barrier, {4, 2}), ThreadState::kFutex);
  SystemCall mutex = {SYS_futex, {0x1000, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 2}, 0};
  EXPECT_EQ(state_in(mutex, {10, 2}), ThreadState::kFutex);
}

TEST(StateInCall, OtherCalls) {
  EXPECT_EQ(state_in({kPoll, {0, 0, 1000}, 0}, {}), ThreadState::kSleeping);
  EXPECT_EQ(state_in({SYS_fsync, {3, 0, 0}, 0}, {}), ThreadState::kFile);
  EXPECT_EQ(state_in({SYS_wait4, {1, 0, 0}, 0}, {}), ThreadState::kSyscall);
  EXPECT_EQ(state_in({SystemCall::kUnknown, {}, 0}, {}), ThreadState::kSyscall);
}

}  // namespace
}  // namespace hearth::events
