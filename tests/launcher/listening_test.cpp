#include "launcher/attach/listening.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/owned.h"

namespace hearth::launcher {
namespace {

SocketNumbers number_of(const UniqueFd& fd) {
  struct stat info {};
  ::fstat(fd.get(), &info);
  return {info.st_ino};
}

// Bound to a free port of the loopback; its URL.
std::string bind_loopback(const UniqueFd& fd, int family) {
  sockaddr_storage address{};
  socklen_t size = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
  auto* v4 = reinterpret_cast<sockaddr_in*>(&address);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&address);
  address.ss_family = static_cast<sa_family_t>(family);
  if (family == AF_INET) v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (family == AF_INET6) v6->sin6_addr = in6addr_loopback;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(fd.get(), generic, size) != 0 || ::getsockname(fd.get(), generic, &size) != 0) return "";
  return (family == AF_INET ? "http://127.0.0.1:" : "http://[::1]:") + std::to_string(ntohs(v4->sin_port)) + "/";
}

TEST(Listening, IsReadFromTheKernelsListOfOwnSockets) {
  for (int family : {AF_INET, AF_INET6}) {
    UniqueFd fd(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    std::string url = fd ? bind_loopback(fd, family) : "";
    if (url.empty()) continue;  // there is no IPv6 here
    EXPECT_FALSE(listens_at(::getpid(), url, number_of(fd))) << "bound only";
    ASSERT_EQ(::listen(fd.get(), 1), 0);
    EXPECT_TRUE(listens_at(::getpid(), url, number_of(fd))) << url;
    EXPECT_FALSE(listens_at(::getpid(), url, {1})) << "the socket of another process";
    EXPECT_FALSE(listens_at(::getpid(), "http://10.0.0.1:80/", number_of(fd)));
  }
}

TEST(Listening, AtAPathToo) {
  std::string path = testing::TempDir() + "my socket." + std::to_string(::getpid());
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_FALSE(listens_at(::getpid(), "unix:" + path, number_of(fd)));
  ASSERT_EQ(::listen(fd.get(), 1), 0);
  EXPECT_TRUE(listens_at(::getpid(), "unix:" + path, number_of(fd)));
  EXPECT_FALSE(listens_at(::getpid(), "unix:" + path + "x", number_of(fd)));
  EXPECT_FALSE(listens_at(::getpid(), "unix:" + path, {1}));
  ::unlink(path.c_str());
}

TEST(Listening, NoOtherAddressIs) {
  const std::string line =
      "   0: 0100007F:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12 1 x 100 0 0 10 0";
  EXPECT_TRUE(is_listener(line, "http://127.0.0.1:80/", {12}));
  for (const char* address : {"http://evil.example:80/", "http://127.0.0.1:80", "http://127.0.0.1:80/x", "http://",
                              "http:///", "http://[127.0.0.1]:80/", "http://127.0.0.1:65616/", "", "unix:", "x"})
    EXPECT_FALSE(is_listener(line, address, {12})) << address;
  EXPECT_FALSE(is_listener("", "http://127.0.0.1:80/", {12}));
}

TEST(Listening, ASocketHasItsNumberInItsLink) {
  EXPECT_EQ(socket_number("socket:[123]"), 123u);
  for (const char* link : {"socket:[]", "socket:[1x]", "pipe:[1]", "", "socket:["})
    EXPECT_FALSE(socket_number(link)) << link;
}

}  // namespace
}  // namespace hearth::launcher
