// The always-on store's answers over HTTP.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/formatted.h"
#include "http_client.h"
#include "profile/formats/formats.h"
#include "sample_profile.h"
#include "store/window_store.h"

namespace hearth::http {
namespace {

constexpr int64_t kMinute = 60;
constexpr int64_t kBegin = 1'795'420'800;  // 2026-11-23 08:00 UTC, in seconds
constexpr int64_t kNanoseconds = 1'000'000'000;

nlohmann::json json(const Response& response) {
  return nlohmann::json::parse(response.body);
}

std::string code(const Response& response) {
  return json(response)["error"]["code"];
}

std::string hint(const Response& response) {
  return json(response)["error"].value("hint", "");
}

// Minutes 0, 1 and 3; in each the method has the name of the minute.
void fill(const std::string& directory) {
  store::WindowStore store(directory, 1 << 30, [](const std::string&) {});
  for (int64_t minute : {0, 1, 3}) {
    profile::Profile profile;
    profile.value_types = {{"samples", "count"}, {"cpu", "nanoseconds", 10}};
    profile.metadata.event = "cpu";
    profile.metadata.start_unix_ns = (kBegin + minute * kMinute) * kNanoseconds;
    profile.metadata.duration_ns = kMinute * kNanoseconds;
    profile.quality.samples = 1;
    profile.quality.gc_pause_ns = 7;
    profile::add(profile, {{formatted("minute{}", minute), profile::FrameKind::kJit}}, {1, 1000});
    store.add(profile);
  }
}

struct StoreServer : TestServer {
  StoreServer() {
    profiler.store = folder.path("windows");
    fill(profiler.store);
  }
  static std::string range(int64_t from, int64_t to, const std::string& prefix = "") {
    return formatted("{0}from={1}&{0}to={2}", prefix, kBegin + from * kMinute, kBegin + to * kMinute);
  }
};

TEST(StoreRoutes, ReportsTheStateOfTheStore) {
  StoreServer http;
  nlohmann::json store = json(http.ask("GET", "/api/store"));
  EXPECT_EQ(store["running"], true);
  EXPECT_EQ(store["directory"], http.profiler.store);
  EXPECT_EQ(store["windows_written"], 3);
  EXPECT_EQ(store["windows_lost"], 1);
  EXPECT_EQ(store["slowdown"], 2);
  EXPECT_EQ(store["held"]["from_ms"], kBegin * 1000);
  EXPECT_EQ(store["held"]["to_ms"], (kBegin + 4 * kMinute) * 1000);
  EXPECT_EQ(json(http.ask("GET", "/api/status"))["always_on"]["bytes"], 4096);
  std::string metrics = http.ask("GET", "/metrics").body;
  EXPECT_NE(metrics.find("hearth_always_on_windows_total 3\n"), std::string::npos) << metrics;
  EXPECT_NE(metrics.find("hearth_always_on_cost_ratio 0.004\n"), std::string::npos) << metrics;
}

TEST(StoreRoutes, WithoutAStore) {
  TestServer http;
  EXPECT_EQ(json(http.ask("GET", "/api/store")), nlohmann::json({{"running", false}}));
  EXPECT_TRUE(json(http.ask("GET", "/api/status"))["always_on"].is_null());
  for (const char* path : {"/api/store/timeline", "/api/store/profile.html", "/api/store/diff.html?base_from=-1h"}) {
    Response response = http.ask("GET", path);
    EXPECT_EQ(response.status, 404) << path;
    EXPECT_EQ(code(response), "no_store") << path;
  }
}

TEST(StoreRoutes, ALineOverTime) {
  StoreServer http;
  nlohmann::json points = json(http.ask("GET", "/api/store/timeline"))["points"];
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[2]["begin_ms"], (kBegin + 3 * kMinute) * 1000);
  EXPECT_EQ(points[2]["duration_ms"], kMinute * 1000);
  EXPECT_EQ(points[2]["level"], "window");
  EXPECT_EQ(points[2]["cpu_ns"], 1000);
  EXPECT_EQ(points[2]["gc_pause_ns"], 7);
  EXPECT_EQ(json(http.ask("GET", "/api/store/timeline?" + StoreServer::range(1, 2)))["points"].size(), 1u);
}

TEST(StoreRoutes, ARangeAsOneProfile) {
  StoreServer http;
  std::string range = "?" + StoreServer::range(0, 2);
  for (const char* ending : {".collapsed", ".txt"})
    EXPECT_EQ(http.ask("GET", "/api/store/profile" + std::string(ending) + range).body, "minute0 1\nminute1 1\n");
  Response page = http.ask("GET", "/api/store/profile.html" + range + "&include=minute1");
  EXPECT_EQ(profile::read(page.body).sample_count(), 1u);
  EXPECT_NE(page.head.find("hearth-2026-11-23-"), std::string::npos) << page.head;
  EXPECT_EQ(profile::read(http.ask("GET", "/api/store/profile.pb.gz").body).sample_count(), 3u);
  for (const char* ending : {"", ".json"})
    EXPECT_EQ(json(http.ask("GET", "/api/store/profile" + std::string(ending) + range))["samples"].size(), 2u);
  std::string milliseconds = formatted("?from={}&to={}", kBegin * 1000, kBegin * 1000 + 1);
  EXPECT_EQ(http.ask("GET", "/api/store/profile.collapsed" + milliseconds).body, "minute0 1\n");
}

TEST(StoreRoutes, TheDifferenceOfTwoRanges) {
  StoreServer http;
  std::string both = "?" + StoreServer::range(3, 4) + "&" + StoreServer::range(0, 1, "base_");
  EXPECT_EQ(http.ask("GET", "/api/store/diff.txt" + both).body, "minute0 1 0\nminute3 0 1\n");
  nlohmann::json difference = json(http.ask("GET", "/api/store/diff.json" + both));
  EXPECT_NE(difference["before"]["title"], difference["after"]["title"]);
  EXPECT_EQ(http.ask("GET", "/api/store/diff.html" + both + "&absolute").status, 200);
  EXPECT_EQ(code(http.ask("GET", "/api/store/diff.html?" + StoreServer::range(3, 4))), "bad_option");
  EXPECT_EQ(code(http.ask("GET", "/api/store/diff.pb.gz" + both)), "bad_option");
}

TEST(StoreRoutes, RefusalsListThePossibilities) {
  StoreServer http;
  Response nothing = http.ask("GET", "/api/store/profile.html?" + StoreServer::range(60, 61));
  EXPECT_EQ(nothing.status, 404);
  EXPECT_EQ(code(nothing), "nothing_stored");
  EXPECT_NE(nothing.body.find("it holds 2026-11-23 "), std::string::npos) << nothing.body;
  EXPECT_EQ(code(http.ask("GET", "/api/store/timeline?" + StoreServer::range(60, 61))), "nothing_stored");
  for (const char* range : {"from=noon", "from=-5m&to=-10m", "from=10:02&label=x", "evnt=cpu"}) {
    Response bad = http.ask("GET", "/api/store/profile.html?" + std::string(range));
    EXPECT_EQ(bad.status, 400) << range;
    EXPECT_EQ(code(bad), "bad_option") << range;
  }
  EXPECT_EQ(http.ask("GET", "/api/store/windows.html").status, 404);
}

TEST(StoreRoutes, ARangeIsOpenedByALink) {
  StoreServer http;
  std::string path = "/api/store/diff.html?" + StoreServer::range(3, 4) + "&" + StoreServer::range(0, 1, "base_");
  std::string link = json(http.ask("POST", "/api/links", nlohmann::json({{"path", path}}).dump()))["link"];
  Response page = http.ask("GET", link, "", "Authorization: none\r\n");
  EXPECT_EQ(page.status, 200) << page.body;
  EXPECT_NE(page.head.find("sandbox"), std::string::npos) << page.head;
}

// Whoever could name a directory could write anywhere.
TEST(StoreRoutes, ClientsStartNone) {
  StoreServer http;
  for (const char* body : {R"({"store": "/tmp/x"})", R"({"event": "cpu", "window": "1m"})", R"({"budget": "1%"})"}) {
    Response refused = http.ask("POST", "/api/start", body);
    EXPECT_EQ(code(refused), "bad_option") << body;
    EXPECT_NE(hint(refused).find("hearth start --store=DIR PID"), std::string::npos) << refused.body;
  }
  EXPECT_TRUE(http.profiler.commands().empty());
  std::string options = http.ask("GET", "/api/options").body;
  for (const char* name : {"\"store\"", "\"window\"", "\"budget\"", "\"from\""})
    EXPECT_EQ(options.find(name), std::string::npos) << name;
}

}  // namespace
}  // namespace hearth::http
