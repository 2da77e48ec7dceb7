#include "base/seccomp.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "base/owned.h"

namespace hearth {
namespace {

constexpr size_t kStackBytes = 16 << 10;

bool has_filter() {
  UniqueFd file(::open("/proc/thread-self/status", O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> text;
  ssize_t size = file ? ::read(file.get(), text.data(), text.size()) : -1;
  if (size <= 0) return true;  // unknown
  return std::string_view(text.data(), static_cast<size_t>(size)).find("\nSeccomp:\t0\n") == std::string_view::npos;
}

// Blocks all signals: a handler in the child would use this thread's memory and thread-local variables. A signal that a
// filter sends ends a child that blocks it.
class EverySignalBlocked {
 public:
  EverySignalBlocked() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  EverySignalBlocked(const EverySignalBlocked&) = delete;
  EverySignalBlocked& operator=(const EverySignalBlocked&) = delete;
  ~EverySignalBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

// Disables core dumps of the shared memory. Before Linux 5.16 a dump ended all processes that shared it.
class NoCoreDump {
 public:
  NoCoreDump() : before_(::prctl(PR_GET_DUMPABLE)) {
    if (before_ == kDumpable) ::prctl(PR_SET_DUMPABLE, 0);
  }
  NoCoreDump(const NoCoreDump&) = delete;
  NoCoreDump& operator=(const NoCoreDump&) = delete;
  ~NoCoreDump() {
    if (before_ == kDumpable) ::prctl(PR_SET_DUMPABLE, kDumpable);
  }

 private:
  static constexpr int kDumpable = 1;
  const int before_;
};

int make_call(void* number) {
  ::syscall(*static_cast<const long*>(number), 0, -1, 0, 0, 0, 0);
  return 0;
}

// Makes a child as vfork(2) does: no page of this process is copied, and this thread waits for the child's end. The
// child sends no signal at its end, so other waitpid(2) calls of the process do not see it.
Survival survival_of_one(long number) {
  alignas(16) char stack[kStackBytes];
  pid_t child = ::clone(make_call, stack + sizeof stack, CLONE_VM | CLONE_VFORK, &number);
  if (child < 0) return Survival::kUnknown;
  int status = 0;
  while (::waitpid(child, &status, __WALL) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? Survival::kYes : Survival::kNo;
}

}  // namespace

Survival survival_of(std::initializer_list<long> system_calls) {
  int error = errno;
  Survival all = Survival::kYes;
  if (has_filter()) {
    EverySignalBlocked blocked;
    NoCoreDump no_dump;
    for (long number : system_calls)
      if (all == Survival::kYes) all = survival_of_one(number);
  }
  errno = error;
  return all;
}

}  // namespace hearth
