#include "launcher/attach/hotspot_attach.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "base/error.h"
#include "base/formatted.h"
#include "base/owned.h"
#include "launcher/attach/attach_wait.h"
#include "launcher/attach/identity.h"
#include "launcher/attach/namespaces.h"

namespace hearth::launcher {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kPatience{10'000};
constexpr timeval kConnectPatience{10, 0};
constexpr size_t kMostOfLoad = size_t{1} << 20;       // a JVM sends a line or two
constexpr size_t kMostOfCommand = size_t{256} << 20;  // stacks of all threads
constexpr milliseconds kLongestPause{50};

// Read before the user changes: only then is it surely accessible.
struct Places {
  UniqueFd tmp;  // HotSpot looks for the trigger file in both; its socket is in the first
  UniqueFd cwd;
  bool switched_off = false;
};

Places open_places(const Jvm& jvm) {
  const Process& process = jvm.process;
  Places places;
  places.tmp = open_in(process, "/tmp", O_PATH | O_DIRECTORY);
  if (!places.tmp)
    throw Error(formatted("cannot open the /tmp of process {}: {}", process.pid, std::strerror(errno)),
                "the JVM keeps its attach socket there: create that folder");
  places.cwd = UniqueFd(::open(formatted("/proc/{}/cwd", process.pid).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  places.switched_off = flag_value(all_options(jvm), "DisableAttachMechanism").value_or(false);
  return places;
}

// A file: if it exists at a SIGQUIT, the JVM listens and does not print a thread dump. Removed with this object.
class Trigger {
 public:
  Trigger(const Process& process, const Places& places) : name_(formatted(".attach_pid{}", process.inner_pid)) {
    if (!create_in(places.tmp.get()) && !create_in(places.cwd.get()))
      throw Error(formatted("cannot create {} in the /tmp of process {}: {}", name_, process.pid, std::strerror(errno)),
                  "the JVM listens only if that file exists: free some space there or make /tmp writable");
  }
  Trigger(const Trigger&) = delete;
  Trigger& operator=(const Trigger&) = delete;
  ~Trigger() { ::unlinkat(folder_, name_.c_str(), 0); }

 private:
  bool create_in(int folder) {
    UniqueFd fd(::openat(folder, name_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600));
    folder_ = folder;
    return static_cast<bool>(fd) || errno == EEXIST;  // another attach in progress has created it
  }

  std::string name_;
  int folder_ = -1;
};

std::string socket_name(const Process& process) {
  return formatted(".java_pid{}", process.inner_pid);
}

// Empty on failure, with errno set.
UniqueFd connect_at(const Process& process, const Places& places) {
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  // A listener that accepts nothing would hold connect(2) and send(2) permanently.
  if (::setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &kConnectPatience, sizeof kConnectPatience) != 0) return {};
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::string path = formatted("/proc/self/fd/{}/{}", places.tmp.get(), socket_name(process));
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  bool connected = ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  return connected ? std::move(fd) : UniqueFd();
}

// The owner of the socket if it is not the process: an earlier process with this pid, whose JVM could not remove it
// from a sticky /tmp.
std::optional<uid_t> foreign_owner(const Process& process, const Places& places) {
  struct stat socket {};
  if (::fstatat(places.tmp.get(), socket_name(process).c_str(), &socket, AT_SYMLINK_NOFOLLOW) != 0) return {};
  return S_ISSOCK(socket.st_mode) && socket.st_uid != process.uid ? std::optional<uid_t>(socket.st_uid) : std::nullopt;
}

// A killed JVM leaves its socket, and pids are reused. Root can remove one that nobody listens at and that blocks
// another user's JVM.
void remove_stale_socket(const Process& process, const Places& places) {
  if (::geteuid() != 0 || !foreign_owner(process, places)) return;
  if (!connect_at(process, places) && errno == ECONNREFUSED)
    ::unlinkat(places.tmp.get(), socket_name(process).c_str(), 0);
}

// Empty if nobody listens: there is no socket, or a stale one of an earlier process with this pid.
UniqueFd connect_to(const Process& process, const Places& places) {
  UniqueFd fd = connect_at(process, places);
  if (!fd) {
    int why = errno;
    if (why == ENOENT || why == ECONNREFUSED) return {};
    std::optional<uid_t> owner = foreign_owner(process, places);
    throw Error(formatted("cannot connect to the attach socket of process {}: {}", process.pid, std::strerror(why)),
                owner ? formatted("/tmp/{} belongs to user {}, probably from an earlier process with that pid: remove "
                                  "it, or run hearth as root",
                                  socket_name(process), user_name(*owner))
                : why == EAGAIN ? std::string("it accepts no connections: it may hang, try again later")
                                : std::string());
  }
  ucred peer{};
  socklen_t size = sizeof peer;
  ::getsockopt(fd.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size);
  bool other_process = peer.pid != 0 && peer.pid != process.pid;
  if (peer.uid != process.uid || other_process)
    throw Error(formatted("/tmp/{} is held by process {} of user {}, not by process {}", socket_name(process), peer.pid,
                          user_name(peer.uid), process.pid),
                "end that process or remove the socket");
  return fd;
}

std::string reason_for_silence(const Process& process, bool asked) {
  Process now = read_process(process.pid);
  if (now.state == 'T') return "it is stopped: continue it with kill -CONT";
  if (!asked)
    return "it does not catch SIGQUIT: if it is starting, try again; if it runs with -Xrs, restart it without";
  return "attach may be switched off, its socket in /tmp removed, or the JVM too busy: try again, or restart it";
}

// Returns false without sending if the process has ended, or no longer catches the signal, which would kill it.
bool send_sigquit(const Process& process) {
  UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0)));
  if (!pidfd && errno == ESRCH) return false;  // else an old kernel, or a container that forbids it
  // Checks the process that the descriptor refers to, even if the pid is reused later.
  if (!is_alive(process) || !read_process(process.pid).catches_sigquit) return false;
  bool sent = pidfd ? ::syscall(SYS_pidfd_send_signal, pidfd.get(), SIGQUIT, nullptr, 0) == 0
                    : ::kill(process.pid, SIGQUIT) == 0;
  if (!sent && errno != ESRCH)
    throw Error(formatted("cannot signal process {}: {}", process.pid, std::strerror(errno)), "run hearth as root");
  return sent;
}

// Asks the JVM to listen and waits until it does. A JVM that is starting may unlink the socket that it has just opened
// as one of an earlier process (AttachListener::vm_start, JDK 17), and opens it again if asked again. Asks twice at
// most: a slow JVM prints its threads at the second time.
UniqueFd wake_listener(const Process& process, const Places& places) {
  if (places.switched_off)
    throw Error(formatted("process {} was started with -XX:+DisableAttachMechanism", process.pid),
                "restart it without, or with -agentpath:/path/to/libhearth.so=start,event=cpu,file=profile.html");
  Trigger trigger(process, places);
  int asked = 0;
  milliseconds pause{1};
  AttachWait wait(process, kPatience);
  Clock::time_point end = Clock::now() + kPatience, again = end - kPatience / 2;
  while (Clock::now() < end) {
    if (!is_alive(process)) throw Error(formatted("process {} ended before it could be attached to", process.pid));
    bool is_due = asked == 0 || (asked == 1 && Clock::now() >= again);
    if (is_due && send_sigquit(process)) asked++;
    wait.look();
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, kLongestPause);
    if (UniqueFd fd = connect_to(process, places)) return fd;
  }
  throw Error(formatted("process {} did not open its attach socket within {} s", process.pid, kPatience.count() / 1000),
              reason_for_silence(process, asked > 0));
}

// The JVM's reply, with a limit that no JVM reaches.
std::string receive(int fd, AttachWait* wait, const Process& process, size_t most) {
  std::string reply;
  char buffer[4096];
  for (;;) {
    wait->until_readable(fd);
    ssize_t got = ::recv(fd, buffer, sizeof buffer, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return reply;
    reply.append(buffer, static_cast<size_t>(got));
    if (reply.size() > most)
      throw Error(
          formatted("process {} sent more than {} bytes on its attach socket, which no JVM does", process.pid, most),
          "check which program that process runs");
  }
}

std::string converse(const Process& process, const Places& places, const std::string& request, milliseconds patience,
                     size_t most) {
  UniqueFd fd = connect_to(process, places);
  if (!fd) fd = wake_listener(process, places);
  for (size_t sent = 0; sent < request.size();) {
    ssize_t written = ::send(fd.get(), request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      throw Error(formatted("process {} closed its attach socket: {}", process.pid, std::strerror(errno)));
    sent += static_cast<size_t>(written);
  }
  AttachWait wait(process, patience);
  return receive(fd.get(), &wait, process, most);
}

// Sends the words as the JVM's own user and returns its reply, which is not empty.
std::string send(const Jvm& jvm, const std::vector<std::string>& words, milliseconds patience, size_t most) {
  std::string request;
  for (const std::string& word : words) {
    request += word;
    request += '\0';
  }
  Places places = open_places(jvm);
  remove_stale_socket(jvm.process, places);
  // The child keeps its own limits: those of run_as() are for a child that cannot.
  milliseconds longest = patience + kPatience + 3 * milliseconds(kConnectPatience.tv_sec * 1000);
  std::string reply = run_as(
      jvm.process, [&] { return converse(jvm.process, places, request, patience, most); }, longest);
  if (reply.empty() && is_alive(jvm.process))
    throw Error(formatted("process {} gave no answer on its attach socket", jvm.process.pid),
                "it replies to its own user and group only: run hearth as that user or as root");
  if (reply.empty()) throw Error(formatted("process {} ended while it was attached to", jvm.process.pid));
  return reply;
}

std::optional<int> whole_number(std::string_view text) {
  int number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional<int>(number) : std::nullopt;
}

}  // namespace

LoadReply parse_load_reply(std::string_view reply) {
  // The first line is the protocol's own result. In JDK 25 it is 0 even if nothing was loaded, so only the second one
  // counts.
  size_t first_end = reply.find('\n');
  std::string_view text = first_end == std::string_view::npos ? std::string_view() : reply.substr(first_end + 1);
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  constexpr std::string_view kReturnCode = "return code: ";
  std::string_view number = text.substr(0, kReturnCode.size()) == kReturnCode ? text.substr(kReturnCode.size()) : text;
  LoadReply parsed;
  parsed.return_code = whole_number(number);  // JDK 8 sends the bare number
  if (!parsed.return_code) parsed.text = text;
  return parsed;
}

LoadReply load_library(const Jvm& jvm, const std::string& path, const std::string& options, milliseconds patience) {
  for (const std::string& argument : {path, options}) {
    if (argument.size() <= kLongestArgument) continue;
    throw Error(formatted("the command for process {} has {} bytes, and a JVM reads {}", jvm.process.pid,
                          argument.size(), kLongestArgument),
                "shorten the file's path, the title or the patterns");
  }
  return parse_load_reply(send(jvm, {"1", "load", path, "true", options}, patience, kMostOfLoad));
}

std::string attach_command(const Jvm& jvm, const std::vector<std::string>& words, milliseconds patience) {
  constexpr size_t kMostWords = 4;  // a command and three arguments
  if (words.size() > kMostWords)
    throw Error(formatted("{} takes at most {} arguments", words[0], kMostWords - 1), "put one with blanks in quotes");
  std::vector<std::string> sent = {"1"};
  sent.insert(sent.end(), words.begin(), words.end());
  sent.resize(1 + kMostWords);
  std::string reply = send(jvm, sent, patience, kMostOfCommand);
  size_t end = reply.find('\n');
  std::string text = end == std::string::npos ? "" : reply.substr(end + 1);
  if (reply.substr(0, end) != "0")
    throw Error(formatted("process {} refused {}: {}", jvm.process.pid, words[0], text.empty() ? reply : text));
  return text;
}

}  // namespace hearth::launcher
