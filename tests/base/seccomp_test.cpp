#include "base/seccomp.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <thread>

namespace hearth {
namespace {

// From here on, for this thread and those that it makes.
void filter(long number, unsigned action) {
  sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, action),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program = {4, code};
  ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

// In a thread of its own: the filter ends with it.
template <typename Function>
void in_thread(Function function) {
  std::thread(function).join();
}

TEST(Seccomp, KillsForNothingWithoutAFilter) {
  errno = 17;
  EXPECT_EQ(survival_of({SYS_perf_event_open, SYS_process_vm_readv}), Survival::kYes);
  EXPECT_EQ(errno, 17);
}

TEST(Seccomp, ReportsCallsThatAreNotSurvived) {
  for (unsigned action : {SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_KILL_THREAD, SECCOMP_RET_TRAP}) {
    in_thread([action] {
      filter(SYS_perf_event_open, action);
      EXPECT_EQ(survival_of({SYS_perf_event_open}), Survival::kNo);
      EXPECT_EQ(survival_of({SYS_process_vm_readv, SYS_perf_event_open}), Survival::kNo);
      EXPECT_EQ(survival_of({SYS_process_vm_readv}), Survival::kYes);
    });
  }
}

TEST(Seccomp, SurvivesARefusal) {
  in_thread([] {
    filter(SYS_perf_event_open, SECCOMP_RET_ERRNO | EPERM);
    EXPECT_EQ(survival_of({SYS_perf_event_open}), Survival::kYes);
  });
}

// A process that cannot make another one returns kUnknown; root is exempt from the limit.
TEST(Seccomp, DoesNotTakeAFailedCloneForADeadlyFilter) {
  pid_t child = fork();
  if (child == 0) {
    rlimit none = {0, 0};
    bool is_limited = setrlimit(RLIMIT_NPROC, &none) == 0 && (getuid() != 0 || setuid(65534) == 0);
    filter(SYS_perf_event_open, SECCOMP_RET_ERRNO | EPERM);
    _exit(is_limited && survival_of({SYS_perf_event_open}) == Survival::kUnknown ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// Neither a child that others could wait for, nor another state of the process.
TEST(Seccomp, LeavesNoTrace) {
  in_thread([] {
    filter(SYS_perf_event_open, SECCOMP_RET_KILL_PROCESS);
    int dumpable = prctl(PR_GET_DUMPABLE);
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, nullptr, &before);
    EXPECT_EQ(survival_of({SYS_perf_event_open}), Survival::kNo);
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    EXPECT_EQ(prctl(PR_GET_DUMPABLE), dumpable);
    for (int signal = 1; signal < NSIG; signal++) EXPECT_EQ(sigismember(&before, signal), sigismember(&after, signal));
    EXPECT_EQ(waitpid(-1, nullptr, __WALL | WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
  });
}

}  // namespace
}  // namespace hearth
