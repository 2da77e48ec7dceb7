#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "base/formatted.h"
#include "http_client.h"
#include "wait_until.h"

namespace hearth::http {
namespace {

using namespace std::chrono_literals;

std::string code(const Response& response) {
  return nlohmann::json::parse(response.body)["error"]["code"];
}

TEST(Pprof, EachPathHasItsOwnValues) {
  TestServer http;
  auto get = [&](const std::string& what) { return http.ask("GET", "/debug/pprof/" + what).body; };
  EXPECT_EQ(get("profile?seconds=1&format=collapsed"), "Window;busy 1\n");
  EXPECT_EQ(get("allocs?seconds=1&format=collapsed&total"), "Window;allocates 64\n");
  nlohmann::json heap = nlohmann::json::parse(get("heap?seconds=1&format=json"));
  std::vector<std::string> types;
  for (const nlohmann::json& value : heap["values"]) types.push_back(value["type"]);
  EXPECT_EQ(types, (std::vector<std::string>{"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"}));
  EXPECT_EQ(heap["samples"].size(), 2u);
  EXPECT_EQ(get("profile?seconds=1").substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(http.profiler.windows, 0);
}

TEST(Pprof, CumulativeValuesOfARunningSessionAreReturnedAtOnce) {
  TestServer http;
  http.ask("POST", "/api/start");
  EXPECT_EQ(http.ask("GET", "/debug/pprof/allocs?format=collapsed&total").body, "Session;allocates 64\n");
  EXPECT_EQ(http.ask("GET", "/debug/pprof/allocs?format=collapsed&total&seconds=1").body, "Window;allocates 64\n");
}

TEST(Pprof, RefusesWithoutAWindow) {
  TestServer http;
  EXPECT_EQ(http.ask("GET", "/debug/pprof/").status, 200);
  EXPECT_EQ(http.ask("GET", "/debug/pprof/", "", "Authorization: none\r\n").status, 401);
  EXPECT_EQ(http.ask("GET", "/debug/pprof/profile", "", "Authorization: none\r\n").status, 401);
  EXPECT_EQ(http.ask("POST", "/debug/pprof/profile").status, 405);
  EXPECT_EQ(http.ask("GET", "/debug/pprof/goroutine").status, 404);
  EXPECT_EQ(code(http.ask("GET", "/debug/pprof/profile?seconds=0")), "bad_option");
  http.ask("POST", "/api/start", R"({"event": "cpu"})");
  Response heap = http.ask("GET", "/debug/pprof/heap?seconds=1");
  EXPECT_EQ(heap.status, 409);
  EXPECT_EQ(code(heap), "session_running");
  EXPECT_EQ(http.profiler.windows, 0);
}

TEST(Pprof, AWindowIsClosedWhenItsClientHasGoneAndWhenTheServerStops) {
  TestServer http;
  std::string ask =
      formatted("GET /debug/pprof/profile?seconds=3600 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\r\n",
                http.token);
  UniqueFd leaves = connect_to(http.address), stays = connect_to(http.address);
  send_all(leaves, ask);
  send_all(stays, ask);
  wait_until("two windows", [&] { return http.profiler.windows == 2; });
  leaves.reset();
  wait_until("the end of one window", [&] { return http.profiler.windows == 1; });
  http.server.stop();
  EXPECT_EQ(http.profiler.windows, 0);
}

TEST(Pprof, NotMoreThanSoManyWaitAtOneTime) {
  TestServer http;
  std::string ask =
      formatted("GET /debug/pprof/profile HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\r\n", http.token);
  std::vector<UniqueFd> waiting;
  for (int i = 0; i < 16; i++) {
    waiting.push_back(connect_to(http.address));
    send_all(waiting.back(), ask);
  }
  wait_until("16 windows", [&] { return http.profiler.windows == 16; });
  Response refused = http.ask("GET", "/debug/pprof/wall");
  EXPECT_EQ(refused.status, 503);
  EXPECT_NE(refused.head.find("Retry-After"), std::string::npos);
  EXPECT_EQ(http.ask("GET", "/api/status").status, 200);
}

}  // namespace
}  // namespace hearth::http
