// Clients that ask for much and take nothing.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/files.h"
#include "base/formatted.h"
#include "http_client.h"

namespace hearth::http {
namespace {

using namespace std::chrono_literals;

constexpr size_t kLong = 8 << 20;  // more than sockets hold
constexpr const char* kPath = "/api/profiles/long.pb.gz";

// What is stored is sent as it is.
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
  limits.unsent = 1 << 20;
  limits.stall = 1h;
  TestServer http("0", limits);
  store_long_profile(http);
  UniqueFd first = ask_and_read_nothing(http, kPath), second = ask_and_read_nothing(http, kPath);
  Response refused;
  while ((refused = http.ask("GET", kPath)).status == 200) std::this_thread::sleep_for(1ms);
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
  limits.unsent = 1 << 20;
  limits.stall = 20ms;
  TestServer http("0", limits);
  store_long_profile(http);
  size_t files = open_files();
  UniqueFd first = ask_and_read_nothing(http, kPath), second = ask_and_read_nothing(http, kPath);
  EXPECT_EQ(http.ask("GET", "/api/status").status, 200);  // the server has taken the others, too
  while (open_files() > files + 3) std::this_thread::sleep_for(1ms);
  EXPECT_LT(std::min(receive_all(first).size(), receive_all(second).size()), kLong);
}

TEST(Overload, StrangersThatDoNotReadLockNobodyOut) {
  ConnectionLimits limits;
  limits.connections = 8;
  limits.stranger = 1h;
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
  EXPECT_EQ(head, "HTTP/1.1 200 OK");  // the owner's own was none of those that went
}

TEST(Overload, AStrangersReplyIsSoonGivenUp) {
  ConnectionLimits limits;
  limits.stranger = 20ms;
  TestServer http("0", limits);
  size_t files = open_files();
  UniqueFd stuck = stuck_stranger(http);
  EXPECT_EQ(http.ask("GET", "/api/status").status, 200);  // the server has taken the other, too
  while (open_files() > files + 1) std::this_thread::sleep_for(1ms);
}

}  // namespace
}  // namespace hearth::http
