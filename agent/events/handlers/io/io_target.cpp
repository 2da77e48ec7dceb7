#include "events/handlers/io/io_target.h"

#include <netinet/in.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/text_parts.h"

namespace hearth::events {
namespace {

struct Address {
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }

  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
};

// Keeps the end of a long name, which tells more of a path.
void set_name(const void* bytes, size_t size, IoTarget* target) {
  target->is_cut = size > IoTarget::kMostName;
  size_t kept = std::min(size, IoTarget::kMostName);
  std::memcpy(target->name, static_cast<const char*>(bytes) + (size - kept), kept);
  target->name_size = static_cast<uint8_t>(kept);
}

// Sockets of IPv6 have addresses of IPv4 in their last four bytes.
void set_address(const in6_addr& address, IoTarget* target) {
  constexpr size_t kPrefix = 12;
  if (IN6_IS_ADDR_V4MAPPED(&address))
    set_name(address.s6_addr + kPrefix, sizeof address - kPrefix, target);
  else
    set_name(&address, sizeof address, target);
}

// 0 if the socket does not have it.
int option_of(int fd, int option) {
  int value = 0;
  socklen_t size = sizeof value;
  return getsockopt(fd, SOL_SOCKET, option, &value, &size) == 0 ? value : 0;
}

IoTarget file(int fd) {
  char link[32] = "/proc/self/fd/";
  size_t length = std::strlen(link);
  char digits[12];
  size_t count = 0;
  for (int rest = std::max(fd, 0); count == 0 || rest > 0; rest /= 10)
    digits[count++] = static_cast<char>('0' + rest % 10);
  while (count > 0) link[length++] = digits[--count];
  char path[1024] = {};
  ssize_t size = readlink(link, path, sizeof path - 1);
  IoTarget target;
  if (size <= 0) return target;
  if (starts_with(path, "pipe:")) {
    target.kind = IoKind::kPipe;
  } else if (path[0] == '/') {
    target.kind = starts_with(path, "/dev/") ? IoKind::kDevice : IoKind::kFile;
    set_name(path, static_cast<size_t>(size), &target);
  }
  return target;
}

bool is_accepted(const IoTarget& peer, const IoTarget& own, Made made, uint16_t first_short_lived) {
  if (made != Made::kUnknown) return made == Made::kAccepted;
  if (peer.kind == IoKind::kUnix) return peer.name_size == 0 && own.name_size != 0;
  return own.port < first_short_lived && peer.port >= first_short_lived;
}

}  // namespace

IoTarget target_of(const sockaddr* address, socklen_t size, bool is_stream) {
  IoTarget target;
  if (address == nullptr || size < sizeof address->sa_family) return target;
  if (address->sa_family == AF_INET && size >= sizeof(sockaddr_in)) {
    const auto* internet = reinterpret_cast<const sockaddr_in*>(address);
    target.port = ntohs(internet->sin_port);
    set_name(&internet->sin_addr, sizeof internet->sin_addr, &target);
  } else if (address->sa_family == AF_INET6 && size >= sizeof(sockaddr_in6)) {
    const auto* internet = reinterpret_cast<const sockaddr_in6*>(address);
    target.port = ntohs(internet->sin6_port);
    set_address(internet->sin6_addr, &target);
  } else if (address->sa_family == AF_UNIX) {
    target.kind = IoKind::kUnix;
    const char* path = reinterpret_cast<const sockaddr_un*>(address)->sun_path;
    size_t most = size - offsetof(sockaddr_un, sun_path);
    bool is_abstract = most > 0 && path[0] == '\0';
    if (is_abstract)
      set_name(path + 1, most - 1, &target);
    else
      set_name(path, strnlen(path, most), &target);
    return target;
  } else {
    return target;
  }
  target.kind = is_stream ? IoKind::kTcp : IoKind::kUdp;
  return target;
}

IoTarget target_of(int fd, Made made, uint16_t first_short_lived) {
  Address own, peer;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&own.storage), &own.size) != 0)
    return errno == ENOTSOCK ? file(fd) : IoTarget();
  bool streams = option_of(fd, SO_TYPE) == SOCK_STREAM;
  IoTarget here = target_of(own.get(), own.size, streams);
  if (getpeername(fd, reinterpret_cast<sockaddr*>(&peer.storage), &peer.size) != 0) {
    here.role = IoRole::kListener;
    return streams && option_of(fd, SO_ACCEPTCONN) != 0 ? here : without_name(here);
  }
  IoTarget there = target_of(peer.get(), peer.size, streams);
  if (!is_accepted(there, here, made, first_short_lived)) return there;
  if (there.kind == IoKind::kUnix) there = here;
  there.role = IoRole::kClient;
  there.port = here.port;
  return there;
}

IoTarget without_name(const IoTarget& target) {
  IoTarget kind;
  kind.kind = target.kind;
  return kind;
}

IoTarget host(const char* name) {
  IoTarget target;
  target.kind = IoKind::kHost;
  set_name(name, std::strlen(name), &target);
  return target;
}

}  // namespace hearth::events
