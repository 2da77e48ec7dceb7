#include "http/auth/access.h"

#include <gtest/gtest.h>

namespace hearth::http {
namespace {

const std::string kToken = "0123456789abcdef";

Request request(std::initializer_list<std::pair<const std::string, std::string>> headers) {
  Request made;
  made.headers.insert(headers.begin(), headers.end());
  if (made.headers.count("Host") == 0) made.headers.emplace("Host", "localhost:80");
  made.peer.local_host = "192.168.1.2";
  return made;
}

// The status of the refusal, 200 for none.
template <typename Check>
int status_of(Check check) {
  try {
    check();
  } catch (const Refusal& refusal) {
    return refusal.status;
  }
  return 200;
}

int source(const Request& from) {
  Access access(kToken, {"Build-Host"});
  return status_of([&] { access.check_source(from); });
}

int token(const Request& with) {
  Access access(kToken, {});
  return status_of([&] { access.check_token(with); });
}

TEST(Access, OnlyItsOwnNames) {
  for (const char* host : {"localhost", "LOCALHOST:1", "127.0.0.1", "127.1.2.3:80", "[::1]", "[::1]:80",
                           "192.168.1.2:80", "build-host:80"})
    EXPECT_EQ(source(request({{"Host", host}})), 200) << host;
  for (const char* host : {"evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "192.168.1.3", "", ":80",
                           "[::1", "[", "[]", "localhost@evil.example", "127.0.0.1 evil", "0127.0.0.1"})
    EXPECT_NE(source(request({{"Host", host}})), 200) << host;
  EXPECT_EQ(source(request({{"Host", "localhost"}, {"Host", "localhost"}})), 400);
}

TEST(Access, OnlyItsOwnPages) {
  EXPECT_EQ(source(request({{"Origin", "http://localhost:80"}})), 200);
  for (const char* origin :
       {"http://localhost", "http://localhost:81", "https://localhost:80", "null", "", "http://evil.example"})
    EXPECT_EQ(source(request({{"Origin", origin}})), 403) << origin;
  EXPECT_EQ(source(request({{"Origin", "http://localhost:80"}, {"Origin", "http://evil.example"}})), 403);
  EXPECT_EQ(token(request({{"Authorization", "Bearer " + kToken}, {"Sec-Fetch-Site", "same-site"}})), 403);
  EXPECT_EQ(token(request({{"Authorization", "Bearer " + kToken}, {"Sec-Fetch-Site", "same-origin"}})), 200);
}

TEST(Access, TheTokenAsBearerOrPassword) {
  for (const char* right :
       {"Bearer 0123456789abcdef", "bearer  0123456789abcdef", "Basic dXNlcjowMTIzNDU2Nzg5YWJjZGVm"})
    EXPECT_EQ(token(request({{"Authorization", right}})), 200) << right;
  for (const char* wrong :
       {"", "Bearer", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdeF", "Bearer 0123456789abcdef0",
        "0123456789abcdef", "Basic MDEyMzQ1Njc4OWFiY2RlZg==", "Basic %", "Basic", "Digest 0123456789abcdef"})
    EXPECT_EQ(token(request({{"Authorization", wrong}})), 401) << wrong;
  EXPECT_EQ(token(request({})), 401);
}

TEST(Access, AClientOfThisUsersSocketNeedsNoToken) {
  Request local = request({{"Host", "anything"}});
  local.peer.is_local_user = true;
  EXPECT_EQ(source(local), 200);
  EXPECT_EQ(token(local), 200);
}

TEST(Access, ALinkIsGoodOnceAndForFiveMinutes) {
  Access access(kToken, {});
  Access::Clock::time_point now{};
  std::string first = access.make_once(now), second = access.make_once(now);
  EXPECT_NE(first, second);
  EXPECT_EQ(access.redeem(first, now), kToken);
  EXPECT_EQ(status_of([&] { access.redeem(first, now); }), 401);
  EXPECT_EQ(status_of([&] { access.redeem("", now); }), 401);
  EXPECT_EQ(status_of([&] { access.redeem(second, now + Access::kOnceLife); }), 401);
}

TEST(Access, TheOldestLinksGoWhereThereAreTooMany) {
  Access access(kToken, {});
  Access::Clock::time_point now{};
  std::string first = access.make_once(now);
  for (int i = 0; i < 100; i++) access.make_once(now + std::chrono::seconds(i));
  EXPECT_EQ(status_of([&] { access.redeem(first, now); }), 401);
}

}  // namespace
}  // namespace hearth::http
