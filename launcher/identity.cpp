#include "identity.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/fsuid.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "base/owned.h"

namespace hearth::launcher {
namespace {

constexpr char kDone = '+';
constexpr char kFailed = '-';

void become(const Process& process) {
  if (::geteuid() != 0) return;
  bool changed = ::setgroups(process.groups.size(), process.groups.data()) == 0 &&
                 ::setresgid(process.gid, process.gid, process.gid) == 0 &&
                 ::setresuid(process.uid, process.uid, process.uid) == 0;
  if (!changed) throw Error(formatted("cannot become user {}: {}", user_name(process.uid), std::strerror(errno)));
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
    become(process);
    answer = kDone + work();
  } catch (const std::exception& error) {
    answer = kFailed + std::string(error.what());
  }
  send_all(fd, answer);
  ::_exit(0);
}

}  // namespace

std::string run_as(const Process& process, const std::function<std::string()>& work) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(formatted("cannot make a pipe: {}", std::strerror(errno)));
  UniqueFd reading(ends[0]);
  UniqueFd writing(ends[1]);
  pid_t child = ::fork();
  if (child < 0) throw Error(formatted("cannot start a process: {}", std::strerror(errno)));
  if (child == 0) work_and_exit(writing.get(), process, work);
  writing.reset();
  std::string answer = read_file(formatted("/proc/self/fd/{}", reading.get()));
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  if (answer.empty())
    throw Error(formatted("interrupted while process {} was asked", process.pid),
                formatted("hearth status {} says what the agent is doing", process.pid));
  if (answer[0] == kFailed) throw Error(answer.substr(1));
  return answer.substr(1);
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
