#include "launcher/attach/identity.h"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>

#include "base/error.h"
#include "base/formatted.h"
#include "base/owned.h"

namespace hearth::launcher {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kGrace{2'000};  // after a signal, for a reply that is nearly there
constexpr char kDone = '+';
constexpr char kFailed = '-';

void become(const Process& process) {
  if (::geteuid() != 0) return;
  bool changed = ::setgroups(process.groups.size(), process.groups.data()) == 0 &&
                 ::setresgid(process.gid, process.gid, process.gid) == 0 &&
                 ::setresuid(process.uid, process.uid, process.uid) == 0;
  if (!changed) throw Error(formatted("cannot become user {}: {}", user_name(process.uid), std::strerror(errno)));
}

// Limits the child, which reads data that another user controls. A sanitizer's own memory is far above any limit.
void bound_memory() {
#ifndef __SANITIZE_ADDRESS__
  constexpr rlim_t kMost = rlim_t{1} << 30;
  rlimit limit{kMost, kMost};
  rlimit now{};
  if (::getrlimit(RLIMIT_AS, &now) == 0 && now.rlim_cur > kMost) ::setrlimit(RLIMIT_AS, &limit);
#endif
}

void send_all(int fd, std::string_view text) {
  while (!text.empty()) {
    ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno != EINTR) ::_exit(1);
    if (written > 0) text.remove_prefix(static_cast<size_t>(written));
  }
}

[[noreturn]] void work_and_exit(int fd, const Process& process, const std::function<std::string()>& work) {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  std::string answer;
  try {
    bound_memory();
    become(process);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // after the change of the user, which clears it
    answer = kDone + work();
  } catch (const std::exception& error) {
    answer = kFailed + std::string(error.what());
  }
  send_all(fd, answer);
  ::_exit(0);
}

enum class End { kWhole, kLate, kInterrupt };

struct Answer {
  End end;
  std::string text;
};

// Readable when a signal that Interrupts hold back has come.
UniqueFd held_back_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals, signal);
  return UniqueFd(::signalfd(-1, &signals, SFD_CLOEXEC));
}

Answer read_answer(int fd, milliseconds patience) {
  UniqueFd signals = held_back_signals();
  Clock::time_point begin = Clock::now();
  Answer answer{End::kWhole, ""};
  char buffer[4096];
  for (;;) {
    auto passed = std::chrono::floor<milliseconds>(Clock::now() - begin);
    if (passed >= patience) return {End::kLate, ""};
    milliseconds left = passed < kGrace ? std::min(kGrace, patience) - passed : patience - passed;
    pollfd awaited[] = {{fd, POLLIN, 0}, {signals.get(), POLLIN, 0}};
    if (::poll(awaited, passed < kGrace ? 1 : 2, static_cast<int>(std::min<int64_t>(left.count(), INT_MAX))) <= 0)
      continue;
    if (awaited[0].revents == 0) return {End::kInterrupt, ""};
    ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return answer;
    answer.text.append(buffer, static_cast<size_t>(got));
  }
}

}  // namespace

std::string run_as(const Process& process, const std::function<std::string()>& work,
                   std::chrono::milliseconds patience) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(formatted("cannot make a pipe: {}", std::strerror(errno)));
  UniqueFd reading(ends[0]);
  UniqueFd writing(ends[1]);
  pid_t child = ::fork();
  if (child < 0) throw Error(formatted("cannot start a process: {}", std::strerror(errno)));
  if (child == 0) work_and_exit(writing.get(), process, work);
  writing.reset();
  Answer answer = read_answer(reading.get(), patience);
  if (answer.end != End::kWhole) ::kill(child, SIGKILL);
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  if (answer.end == End::kLate)
    throw Error(formatted("process {} or its files did not respond within {:g} s", process.pid,
                          std::chrono::duration<double>(patience).count()),
                formatted("hearth status {} shows whether it responds", process.pid));
  if (answer.text.empty() || answer.end == End::kInterrupt)
    throw Error(formatted("interrupted while process {} was asked", process.pid),
                formatted("hearth status {} shows the state of the agent", process.pid));
  if (answer.text[0] == kFailed) throw Error(answer.text.substr(1));
  return answer.text.substr(1);
}

FileIdentity::FileIdentity(const Process& process) {
  if (::geteuid() != 0) return;
  ::setfsgid(process.gid);
  ::setfsuid(process.uid);
}

FileIdentity::~FileIdentity() {
  ::setfsuid(::geteuid());
  ::setfsgid(::getegid());
}

}  // namespace hearth::launcher
