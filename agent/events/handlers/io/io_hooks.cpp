#include "events/handlers/io/io_hooks.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "events/handlers/current_tid.h"
#include "events/handlers/hook_slot.h"
#include "events/handlers/io/io_target.h"
#include "events/lock/lock_weight.h"

namespace hearth::events {
namespace {

using capture::ThreadSlot;

struct RealFunctions {
  ssize_t (*read)(int, void*, size_t);
  ssize_t (*write)(int, const void*, size_t);
  ssize_t (*readv)(int, const iovec*, int);
  ssize_t (*writev)(int, const iovec*, int);
  ssize_t (*pread)(int, void*, size_t, off_t);
  ssize_t (*pwrite)(int, const void*, size_t, off_t);
  ssize_t (*recv)(int, void*, size_t, int);
  ssize_t (*send)(int, const void*, size_t, int);
  ssize_t (*recvfrom)(int, void*, size_t, int, sockaddr*, socklen_t*);
  ssize_t (*sendto)(int, const void*, size_t, int, const sockaddr*, socklen_t);
  ssize_t (*recvmsg)(int, msghdr*, int);
  ssize_t (*sendmsg)(int, const msghdr*, int);
  ssize_t (*sendfile)(int, int, off_t*, size_t);
  int (*fsync)(int);
  int (*fdatasync)(int);
  int (*connect)(int, const sockaddr*, socklen_t);
  int (*accept)(int, sockaddr*, socklen_t*);
  int (*accept4)(int, sockaddr*, socklen_t*, int);
  int (*poll)(pollfd*, nfds_t, int);
  int (*getaddrinfo)(const char*, const char*, const addrinfo*, addrinfo**);
};

// A call that has returned, and what tells its target: a file descriptor, an address, or the name of a host.
struct Done {
  IoCall call;
  uintptr_t hook;  // the function that the program called
  uint64_t began_ns;
  int64_t bytes = 0;          // that it moved
  bool is_only_wait = false;  // for what another call does
  int fd = -1;
  const sockaddr* peer = nullptr;  // of connect()
  socklen_t peer_size = 0;
  const char* host = nullptr;
};

RealFunctions g_real;
HookPlaces<IoSampling> g_samplings(HookKind::kIo);
std::atomic<int64_t> g_interval{-1};  // of the running sampling; -1: none
// By file descriptor, as far as these hooks saw. Further ones are kUnknown.
constexpr int kSeenFiles = 1 << 14;
std::atomic<Made> g_made[kSeenFiles];

// A handler of the program's own that writes may run on a small stack, and in a thread that cannot be walked.
bool is_on_signal_stack() {
  stack_t stack{};
  return syscall(SYS_sigaltstack, nullptr, &stack) == 0 && (stack.ss_flags & SS_ONSTACK) != 0;
}

// The peer of the last connect() of a file descriptor: until it answers the kernel does not tell.
struct Connecting {
  int fd = -1;
  bool is_in_progress = false;
  IoTarget peer;
};
constexpr size_t kConnecting = 256;
Connecting g_connecting[kConnecting];
std::atomic<uint32_t> g_connecting_lock{0};

// Passes by if another thread is here.
template <typename Use>
void use_connecting(int fd, const Use& use) {
  uint32_t free = 0;
  if (fd < 0 || !g_connecting_lock.compare_exchange_strong(free, 1, std::memory_order_acquire)) return;
  use(&g_connecting[static_cast<size_t>(fd) % kConnecting]);
  g_connecting_lock.store(0, std::memory_order_release);
}

void note_connecting(int fd, const IoTarget& peer, bool is_in_progress) {
  use_connecting(fd, [&](Connecting* place) { *place = {fd, is_in_progress, peer}; });
}

IoTarget connecting_target(int fd) {
  IoTarget peer;
  use_connecting(fd, [&](const Connecting* place) {
    if (place->fd == fd) peer = place->peer;
  });
  return peer;
}

// Programs pass numbers that are no descriptor, too: -1 of a failed open().
bool is_seen(int fd) {
  return fd >= 0 && fd < kSeenFiles;
}

void note_made(int fd, Made made) {
  if (is_seen(fd)) g_made[fd].store(made, std::memory_order_relaxed);
}

Made made_of(int fd) {
  return is_seen(fd) ? g_made[fd].load(std::memory_order_relaxed) : Made::kUnknown;
}

IoTarget target_of_call(const Done& done, const IoSampling& sampling) {
  if (done.host != nullptr) return host(done.host);
  if (done.peer != nullptr) return target_of(done.peer, done.peer_size, true);
  IoTarget target = target_of(done.fd, made_of(done.fd), sampling.first_short_lived);
  return done.call == IoCall::kConnect && target.name_size == 0 ? connecting_target(done.fd) : target;
}

// The JVM's own thread at the socket by which hearth, jcmd and others attach: it has nothing to do with the program.
bool waits_for_commands(IoCall call, const IoTarget& target) {
  constexpr std::string_view kPart = "/.java_pid";
  return call == IoCall::kAccept && target.kind == IoKind::kUnix &&
         target.name_view().find(kPart) != std::string_view::npos;
}

void record(IoSampling* sampling, const Done& done, const LockWeight& weight, uint64_t now_ns) {
  if (!sampling->is_of_this_process() || is_on_signal_stack()) return;
  ThreadSlot* slot = slot_of_hook(*sampling);
  // A handler that writes may have interrupted a walk of this thread.
  if (slot == nullptr || slot->in_callback_walk.load(std::memory_order_relaxed)) return;
  if (!sampling->recorder->records(*slot)) return;
  IoTarget target = target_of_call(done, *sampling);
  IoCall call = done.call;
  bool waits_for_connection =
      done.is_only_wait && call == IoCall::kRead && target.kind != IoKind::kUdp && target.role == IoRole::kListener;
  if (waits_for_connection) call = IoCall::kAccept;
  if (waits_for_commands(call, target)) return;
  if (!sampling->names_targets) target = without_name(target);
  capture::SampleInfo info;
  info.entered_ns = now_ns;
  info.weight = weight.delay_ns;
  info.objects = done.is_only_wait ? 0 : weight.contentions;
  info.event = sampling->event;
  info.state = sampling->traits->number_of(call, target, done.bytes, info.objects);
  info.bytes = done.bytes;
  sampling->recorder->record_native_call(slot, info, done.hook);
}

// Draws before it looks for the sampling: most calls are short, and no samples.
__attribute__((noinline)) void returned(const Done& done) {
  int64_t interval = g_interval.load(std::memory_order_relaxed);
  uint64_t now_ns = capture::now_ns();
  int64_t time_ns = std::max<int64_t>(static_cast<int64_t>(now_ns - done.began_ns), 1);
  LockWeight weight = weight_of_wait(time_ns, interval, now_ns ^ reinterpret_cast<uintptr_t>(&done));
  if (interval < 0 || weight.contentions == 0) return;
  int error = errno;
  Published<IoSampling>* place = g_samplings.current();
  if (place == nullptr) return;
  Published<IoSampling>::Entry entry(place);
  IoSampling* sampling = entry.sampling();
  if (sampling != nullptr && done.began_ns >= sampling->began_ns) record(sampling, done, weight, now_ns);
  errno = error;
}

inline bool measures() {
  return g_interval.load(std::memory_order_relaxed) >= 0 && !looks_up_host();
}

// A call on a file descriptor. Its result is the number of bytes that it moved, or something else.
enum class Returns { kBytes, kOther };

template <Returns kReturns = Returns::kBytes, typename Hook, typename Real, typename... Arguments>
__attribute__((always_inline)) inline auto on_file(IoCall call, Hook* hook, Real* real, int fd,
                                                   Arguments... arguments) {
  if (!measures()) return real(fd, arguments...);
  Done done = {call, reinterpret_cast<uintptr_t>(hook), capture::now_ns()};
  auto result = real(fd, arguments...);
  done.fd = fd;
  if (kReturns == Returns::kBytes && result > 0) done.bytes = static_cast<int64_t>(result);
  done.is_only_wait = result < 0 && errno == EAGAIN;
  returned(done);
  return result;
}

ssize_t read_hook(int fd, void* to, size_t size) {
  return on_file(IoCall::kRead, read_hook, g_real.read, fd, to, size);
}

ssize_t write_hook(int fd, const void* from, size_t size) {
  return on_file(IoCall::kWrite, write_hook, g_real.write, fd, from, size);
}

ssize_t readv_hook(int fd, const iovec* to, int count) {
  return on_file(IoCall::kRead, readv_hook, g_real.readv, fd, to, count);
}

ssize_t writev_hook(int fd, const iovec* from, int count) {
  return on_file(IoCall::kWrite, writev_hook, g_real.writev, fd, from, count);
}

ssize_t pread_hook(int fd, void* to, size_t size, off_t at) {
  return on_file(IoCall::kRead, pread_hook, g_real.pread, fd, to, size, at);
}

ssize_t pwrite_hook(int fd, const void* from, size_t size, off_t at) {
  return on_file(IoCall::kWrite, pwrite_hook, g_real.pwrite, fd, from, size, at);
}

// Bytes that are only looked at are read once more.
ssize_t recv_hook(int fd, void* to, size_t size, int flags) {
  if ((flags & MSG_PEEK) != 0)
    return on_file<Returns::kOther>(IoCall::kRead, recv_hook, g_real.recv, fd, to, size, flags);
  return on_file(IoCall::kRead, recv_hook, g_real.recv, fd, to, size, flags);
}

ssize_t send_hook(int fd, const void* from, size_t size, int flags) {
  return on_file(IoCall::kWrite, send_hook, g_real.send, fd, from, size, flags);
}

ssize_t recvfrom_hook(int fd, void* to, size_t size, int flags, sockaddr* peer, socklen_t* peer_size) {
  return on_file(IoCall::kRead, recvfrom_hook, g_real.recvfrom, fd, to, size, flags, peer, peer_size);
}

ssize_t sendto_hook(int fd, const void* from, size_t size, int flags, const sockaddr* peer, socklen_t peer_size) {
  return on_file(IoCall::kWrite, sendto_hook, g_real.sendto, fd, from, size, flags, peer, peer_size);
}

ssize_t recvmsg_hook(int fd, msghdr* message, int flags) {
  return on_file(IoCall::kRead, recvmsg_hook, g_real.recvmsg, fd, message, flags);
}

ssize_t sendmsg_hook(int fd, const msghdr* message, int flags) {
  return on_file(IoCall::kWrite, sendmsg_hook, g_real.sendmsg, fd, message, flags);
}

ssize_t sendfile_hook(int to, int from, off_t* at, size_t size) {
  return on_file(IoCall::kWrite, sendfile_hook, g_real.sendfile, to, from, at, size);
}

int fsync_hook(int fd) {
  return on_file<Returns::kOther>(IoCall::kSync, fsync_hook, g_real.fsync, fd);
}

int fdatasync_hook(int fd) {
  return on_file<Returns::kOther>(IoCall::kSync, fdatasync_hook, g_real.fdatasync, fd);
}

int accept_hook(int fd, sockaddr* peer, socklen_t* size) {
  int accepted = on_file<Returns::kOther>(IoCall::kAccept, accept_hook, g_real.accept, fd, peer, size);
  note_made(accepted, Made::kAccepted);
  return accepted;
}

int accept4_hook(int fd, sockaddr* peer, socklen_t* size, int flags) {
  int accepted = on_file<Returns::kOther>(IoCall::kAccept, accept4_hook, g_real.accept4, fd, peer, size, flags);
  note_made(accepted, Made::kAccepted);
  return accepted;
}

// Results after which the kernel has read the address; a filter of system calls has not.
bool has_read_address(int result) {
  constexpr int kErrors[] = {EINPROGRESS, EALREADY, EINTR, ECONNREFUSED, ETIMEDOUT, EHOSTUNREACH, ENETUNREACH};
  return result == 0 || std::find(std::begin(kErrors), std::end(kErrors), errno) != std::end(kErrors);
}

int connect_hook(int fd, const sockaddr* peer, socklen_t size) {
  if (!measures()) return g_real.connect(fd, peer, size);
  note_made(fd, Made::kConnected);
  Done done = {IoCall::kConnect, reinterpret_cast<uintptr_t>(connect_hook), capture::now_ns()};
  int result = g_real.connect(fd, peer, size);
  if (has_read_address(result)) {
    done.peer = peer;
    done.peer_size = size;
    note_connecting(fd, target_of(peer, size, true), result != 0 && errno == EINPROGRESS);
  }
  done.fd = fd;
  returned(done);
  return result;
}

IoCall call_of_poll(const pollfd& one, int result) {
  if ((one.events & POLLIN) != 0) return IoCall::kRead;
  bool connects = false;
  use_connecting(one.fd, [&](Connecting* place) {
    connects = place->fd == one.fd && place->is_in_progress;
    if (result > 0) place->is_in_progress = false;
  });
  return connects ? IoCall::kConnect : IoCall::kWrite;
}

// Of one descriptor: the JDK waits so before it reads or writes, and for connections. The wait for any of several has
// no file or peer. The kernel has read the descriptor when it returns.
int poll_hook(pollfd* descriptors, nfds_t count, int timeout) {
  if (!measures() || count != 1 || timeout == 0) return g_real.poll(descriptors, count, timeout);
  Done done = {IoCall::kRead, reinterpret_cast<uintptr_t>(poll_hook), capture::now_ns()};
  int result = g_real.poll(descriptors, count, timeout);
  if (result < 0 && errno != EINTR) return result;
  done.call = call_of_poll(*descriptors, result);
  done.is_only_wait = true;
  done.fd = descriptors->fd;
  returned(done);
  return result;
}

int getaddrinfo_hook(const char* name, const char* service, const addrinfo* hints, addrinfo** found) {
  if (!measures() || name == nullptr) return g_real.getaddrinfo(name, service, hints, found);
  Done done = {IoCall::kResolve, reinterpret_cast<uintptr_t>(getaddrinfo_hook), capture::now_ns()};
  mark_host_lookup(true);
  int result = g_real.getaddrinfo(name, service, hints, found);
  mark_host_lookup(false);
  done.host = name;
  returned(done);
  return result;
}

template <typename Function>
IoHook hook(const char* name, Function* code, Function** real) {
  return {name, reinterpret_cast<uintptr_t>(code), reinterpret_cast<uintptr_t*>(real)};
}

}  // namespace

std::array<IoHook, kIoHooks> io_hooks() {
  return {hook("read", read_hook, &g_real.read),
          hook("write", write_hook, &g_real.write),
          hook("readv", readv_hook, &g_real.readv),
          hook("writev", writev_hook, &g_real.writev),
          hook("pread", pread_hook, &g_real.pread),
          hook("pread64", pread_hook, &g_real.pread),
          hook("pwrite", pwrite_hook, &g_real.pwrite),
          hook("pwrite64", pwrite_hook, &g_real.pwrite),
          hook("recv", recv_hook, &g_real.recv),
          hook("send", send_hook, &g_real.send),
          hook("recvfrom", recvfrom_hook, &g_real.recvfrom),
          hook("sendto", sendto_hook, &g_real.sendto),
          hook("recvmsg", recvmsg_hook, &g_real.recvmsg),
          hook("sendmsg", sendmsg_hook, &g_real.sendmsg),
          hook("sendfile", sendfile_hook, &g_real.sendfile),
          hook("sendfile64", sendfile_hook, &g_real.sendfile),
          hook("fsync", fsync_hook, &g_real.fsync),
          hook("fdatasync", fdatasync_hook, &g_real.fdatasync),
          hook("connect", connect_hook, &g_real.connect),
          hook("accept", accept_hook, &g_real.accept),
          hook("accept4", accept4_hook, &g_real.accept4),
          hook("poll", poll_hook, &g_real.poll),
          hook("getaddrinfo", getaddrinfo_hook, &g_real.getaddrinfo)};
}

HookPlaces<IoSampling>* io_samplings() {
  return &g_samplings;
}

void measure_io(int64_t interval) {
  for (std::atomic<Made>& made : g_made) made.store(Made::kUnknown, std::memory_order_relaxed);
  g_interval.store(interval, std::memory_order_release);
}

}  // namespace hearth::events
