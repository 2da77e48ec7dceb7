// Clients that ask for much and take nothing.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <thread>
#include <vector>

#include "base/files.h"
#include "base/formatted.h"
#include "http_client.h"
#include "wait_until.h"

namespace hearth::http {
namespace {

using namespace std::chrono_literals;

constexpr size_t kLong = 8 << 20;  // more than sockets hold
constexpr const char* kPath = "/api/profiles/long.pb.gz";

// A stored file is sent unchanged.
std::string store_long_profile(const TestServer& http) {
  std::string bytes(kLong, 'x');
  for (size_t i = 0; i < bytes.size(); i += 1000) bytes[i] = static_cast<char>('a' + i / 1000 % 26);
  replace_file(http.folder.path("home/profiles/long.pb.gz"), bytes);
  return bytes;
}

UniqueFd ask_and_read_nothing(const TestServer& http, const std::string& path) {
  UniqueFd client = connect_to(http.address);
  send_all(client,
           formatted("GET {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\r\n",
                     path, http.token));
  return client;
}

// More than its socket holds, without the token.
UniqueFd stuck_stranger(const TestServer& http) {
  UniqueFd client = connect_to(http.address);
  std::string many;
  for (int i = 0; i < 300; i++) many += "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  send_all(client, many);
  return client;
}

size_t open_files() {
  std::filesystem::directory_iterator all("/proc/self/fd"), end;
  return static_cast<size_t>(std::distance(all, end));
}

int64_t resident_bytes() {
  int64_t whole = 0, resident = 0;
  std::istringstream(read_file("/proc/self/statm")) >> whole >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

TEST(Overload, StrangersTakeLittleMemory) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer keeps freed memory for a while";
#endif
  TestServer http;
  stuck_stranger(http);
  constexpr int kStrangers = 200;  // with a copy of the page for each it would be 48 MB
  constexpr int64_t kMost = 16 << 20;
  int64_t before = resident_bytes();
  std::vector<UniqueFd> strangers;
  for (int i = 0; i < kStrangers; i++) strangers.push_back(stuck_stranger(http));
  EXPECT_EQ(http.ask("GET", "/api/status").status, 200) << "their requests were taken before this one";
  EXPECT_LT(resident_bytes() - before, kMost);
  Response page = http.ask("GET", "/");
  EXPECT_NE(page.body.find("</html>"), std::string::npos);
  EXPECT_EQ(http.ask("HEAD", "/").body, "");
}

TEST(Overload, ALongReplyArrivesWhole) {
  TestServer http;
  std::string bytes = store_long_profile(http);
  Response response = http.ask("GET", kPath);
  EXPECT_EQ(response.status, 200);
  EXPECT_TRUE(response.body == bytes);
  Response head = http.ask("HEAD", kPath);
  EXPECT_NE(head.head.find(formatted("\r\nContent-Length: {}\r\n", kLong)), std::string::npos) << head.head;
  EXPECT_NE(head.head.find("\r\nContent-Type: application/octet-stream\r\n"), std::string::npos) << head.head;
  EXPECT_EQ(head.body, "");
}

TEST(Overload, UnreadDownloadsHinderNoControl) {
  ConnectionLimits limits;
  limits.max_buffered_reply_bytes = 1 << 20;
  limits.stall_timeout = 1h;
  TestServer http("0", limits);
  store_long_profile(http);
  UniqueFd first = ask_and_read_nothing(http, kPath), second = ask_and_read_nothing(http, kPath);
  Response refused;
  wait_until("a refusal", [&] { return (refused = http.ask("GET", kPath)).status != 200; });
  EXPECT_EQ(refused.status, 503);
  EXPECT_NE(refused.head.find("\r\nRetry-After: "), std::string::npos) << refused.head;
  EXPECT_EQ(http.ask("GET", "/api/live").status, 503);
  EXPECT_EQ(http.ask("GET", "/api/status").status, 200);
  EXPECT_EQ(http.ask("POST", "/api/start").status, 200);
  EXPECT_EQ(http.ask("POST", "/api/stop", R"({"format": "html"})").status, 503);
  EXPECT_EQ(http.ask("POST", "/api/stop").status, 200);
}

TEST(Overload, BeyondTheLimitTheLongestStalledReplyGoes) {
  ConnectionLimits limits;
  limits.max_buffered_reply_bytes = 1 << 20;
  limits.stall_timeout = 20ms;
  TestServer http("0", limits);
  store_long_profile(http);
  size_t files = open_files();
  UniqueFd first = ask_and_read_nothing(http, kPath), second = ask_and_read_nothing(http, kPath);
  EXPECT_EQ(http.ask("GET", "/api/status").status, 200);  // the server has taken the others, too
  wait_until("the end of the longest stalled reply", [&] { return open_files() <= files + 3; });
  EXPECT_LT(std::min(receive_all(first).size(), receive_all(second).size()), kLong);
}

TEST(Overload, StrangersThatDoNotReadLockNobodyOut) {
  ConnectionLimits limits;
  limits.max_connections = 8;
  limits.unauthenticated_reply_timeout = 1h;
  TestServer http("0", limits);
  store_long_profile(http);
  UniqueFd download = ask_and_read_nothing(http, kPath);
  std::vector<UniqueFd> stuck;
  for (int i = 0; i < 30; i++) {
    stuck.push_back(stuck_stranger(http));
    EXPECT_EQ(http.ask("GET", "/api/status").status, 200);
  }
  std::string head(15, ' ');
  ASSERT_EQ(recv(download.get(), head.data(), head.size(), MSG_WAITALL), 15);
  EXPECT_EQ(head, "HTTP/1.1 200 OK");  // the owner's own connection is not among the closed ones
}

TEST(Overload, AStrangersReplyIsSoonGivenUp) {
  ConnectionLimits limits;
  limits.unauthenticated_reply_timeout = 20ms;
  TestServer http("0", limits);
  size_t files = open_files();
  UniqueFd stuck = stuck_stranger(http);
  EXPECT_EQ(http.ask("GET", "/api/status").status, 200);  // the server has taken the other, too
  wait_until("the end of the stranger's reply", [&] { return open_files() <= files + 1; });
}

}  // namespace
}  // namespace hearth::http
