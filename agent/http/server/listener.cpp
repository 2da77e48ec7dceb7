#include "http/server/listener.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <memory>

#include "base/error.h"
#include "base/formatted.h"

namespace hearth::http {
namespace {

constexpr int kBacklog = 128;

struct Address {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  sockaddr* generic() { return reinterpret_cast<sockaddr*>(&storage); }
  int family() const { return storage.ss_family; }
};

// The number of a TCP address, and its port; an IPv4 address that came over an IPv6 socket as IPv4.
std::pair<std::string, std::string> host_and_port(Address address) {
  char host[NI_MAXHOST] = "", port[NI_MAXSERV] = "";
  getnameinfo(address.generic(), address.size, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
  std::string name = host;
  constexpr std::string_view kMapped = "::ffff:";
  if (name.compare(0, kMapped.size(), kMapped) == 0 && name.find('.') != std::string::npos)
    name.erase(0, kMapped.size());
  return {name, port};
}

std::string text_of(const Address& address) {
  auto [host, port] = host_and_port(address);
  bool is_v6 = host.find(':') != std::string::npos;
  return formatted(is_v6 ? "[{}]:{}" : "{}:{}", host, port);
}

bool is_loopback(const Address& address) {
  if (address.family() == AF_INET) {
    constexpr uint32_t kLoopbackNet = 127;
    return ntohl(reinterpret_cast<const sockaddr_in*>(&address.storage)->sin_addr.s_addr) >> 24 == kLoopbackNet;
  }
  return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(&address.storage)->sin6_addr);
}

sockaddr_un unix_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return address;
}

// A socket that nobody listens at, left behind by a process that was killed.
bool is_abandoned(const std::string& path) {
  struct stat info {};
  if (lstat(path.c_str(), &info) != 0 || !S_ISSOCK(info.st_mode) || info.st_uid != geteuid()) return false;
  UniqueFd probe(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address = unix_address(path);
  return connect(probe.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 && errno == ECONNREFUSED;
}

[[noreturn]] void refuse_address(const std::string& text, int error) {
  std::string remedy = error == EADDRINUSE      ? "choose another, or port 0 for any that is free"
                       : error == EACCES        ? "choose one that this process may listen at, a port above 1023"
                       : error == EADDRNOTAVAIL ? "choose an address of this machine"
                       : error == ENOENT        ? "create its directory first"
                                                : "choose another address";
  throw Error(formatted("option http: cannot listen at {}: {}", text, std::strerror(error)), remedy);
}

}  // namespace

Listener::Listener(const options::HttpAddress& address) {
  if (address.unix_path.empty())
    listen_tcp(address);
  else
    listen_unix(address.unix_path);
}

void Listener::listen_unix(const std::string& path) {
  text_ = "unix:" + path;
  if (is_abandoned(path)) unlink(path.c_str());
  fd_ = UniqueFd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un bound = unix_address(path);
  struct stat info {};
  // The file gets the mode of the socket when it is bound: nobody can connect before.
  if (!fd_ || fchmod(fd_.get(), S_IRUSR | S_IWUSR) != 0 ||
      bind(fd_.get(), reinterpret_cast<sockaddr*>(&bound), sizeof bound) != 0)
    refuse_address(text_, errno);
  if (lstat(path.c_str(), &info) != 0 || listen(fd_.get(), kBacklog) != 0) {
    int error = errno;
    unlink(path.c_str());
    refuse_address(text_, error);
  }
  unix_path_ = path;
  device_ = info.st_dev;
  inode_ = info.st_ino;
}

void Listener::listen_tcp(const options::HttpAddress& address) {
  text_ = formatted(address.host.find(':') == std::string::npos ? "{}:{}" : "[{}]:{}", address.host, address.port);
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICSERV | AI_PASSIVE;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  int problem = getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (problem != 0)
    throw Error(formatted("option http: {} is no address: {}", address.host, gai_strerror(problem)),
                "give an address of this machine, or none for 127.0.0.1");
  std::unique_ptr<addrinfo, void (*)(addrinfo*)> owned(found, freeaddrinfo);
  fd_ = UniqueFd(socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  int on = 1;
  if (!fd_ || setsockopt(fd_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      bind(fd_.get(), found->ai_addr, found->ai_addrlen) != 0 || listen(fd_.get(), kBacklog) != 0)
    refuse_address(text_, errno);
  Address bound;
  getsockname(fd_.get(), bound.generic(), &bound.size);
  text_ = text_of(bound);
  is_loopback_ = http::is_loopback(bound);
  if (is_loopback_) return;
  char name[HOST_NAME_MAX + 1] = "";
  if (gethostname(name, sizeof name - 1) == 0 && *name != '\0') names_.insert(name);
  names_.insert(address.host);
}

void Listener::remove_file() {
  struct stat info {};
  if (unix_path_.empty() || lstat(unix_path_.c_str(), &info) != 0) return;
  if (info.st_dev == device_ && info.st_ino == inode_) unlink(unix_path_.c_str());
}

UniqueFd Listener::accept(Peer* peer) const {
  Address from, to;
  UniqueFd connection(accept4(fd_.get(), from.generic(), &from.size, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!connection) return connection;
  *peer = {};
  if (!unix_path_.empty()) {
    ucred who{};
    socklen_t size = sizeof who;
    bool is_known = getsockopt(connection.get(), SOL_SOCKET, SO_PEERCRED, &who, &size) == 0;
    peer->name = formatted("uid {}", static_cast<int64_t>(is_known ? static_cast<int64_t>(who.uid) : -1));
    peer->is_local_user = is_known && (who.uid == geteuid() || who.uid == 0);
    return connection;
  }
  int on = 1;
  setsockopt(connection.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  peer->name = text_of(from);
  if (getsockname(connection.get(), to.generic(), &to.size) == 0) peer->local_host = host_and_port(to).first;
  return connection;
}

}  // namespace hearth::http
