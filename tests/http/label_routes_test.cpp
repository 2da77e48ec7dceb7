// Routes over HTTP for samples that are chosen by their labels.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/formatted.h"
#include "http_client.h"
#include "profile/formats/formats.h"

namespace hearth::http {
namespace {

nlohmann::json json(const Response& response) {
  return nlohmann::json::parse(response.body);
}

std::string stored_profile(TestServer* http) {
  return json(http->ask("POST", "/api/profile", R"({"seconds": 0.01})"))["profile"]["id"];
}

void expect_refused(const Response& response, const std::string& message) {
  EXPECT_EQ(response.status, 400);
  EXPECT_NE(response.body.find(message), std::string::npos) << response.body;
}

TEST(LabelRoutes, StoredProfilesInEveryFormat) {
  TestServer http;
  std::string path = "/api/profiles/" + stored_profile(&http);
  EXPECT_EQ(http.ask("GET", path + ".collapsed?label=thread:main").body, "clojure.main/main;cheshire.parse/parse* 3\n");
  EXPECT_EQ(http.ask("GET", path + ".collapsed?label=thread:GC*&label=request_bytes:").body,
            "[GC Thread#0 tid=7];G1ParTask::work;memcpy 1\n");
  for (const char* ending : {".pb.gz", ".html"}) {
    profile::Profile part = profile::read(http.ask("GET", path + ending + "?label=thread:main").body);
    EXPECT_EQ(part.sample_count(), 1u) << ending;
    EXPECT_EQ(part.metadata.title, "A <test> & more, only thread:main") << ending;
  }
  EXPECT_EQ(json(http.ask("GET", path + ".json?label=request_bytes:512"))["samples"].size(), 1u);
  expect_refused(http.ask("GET", path + ".collapsed?label=main"), "KEY:VALUE");
  for (const char* ending : {".pb.gz", ".html", ".json"}) {
    expect_refused(http.ask("GET", path + ending + "?label=thead:main"), "did you mean thread?");
    expect_refused(http.ask("GET", path + ending + "?label=thread:mian"), "did you mean main?");
  }
}

TEST(LabelRoutes, DifferencesOfParts) {
  TestServer http;
  std::string path = formatted("/api/diff/{}/{}", stored_profile(&http), stored_profile(&http));
  EXPECT_EQ(http.ask("GET", path + ".collapsed?label=thread:main").body,
            "clojure.main/main;cheshire.parse/parse* 3 3\n");
  EXPECT_EQ(json(http.ask("GET", path + ".json?label=thread:main"))["before"]["title"],
            "A <test> & more, only thread:main");
  expect_refused(http.ask("GET", path + ".html?label=thread:x"), "before: no sample has label thread:x");
}

TEST(LabelRoutes, TheEndpointsOfPprof) {
  TestServer http;
  std::string path = "/debug/pprof/profile?seconds=1&format=collapsed&label=thread:";
  EXPECT_EQ(http.ask("GET", path + "busy").body, "Window;busy 1\n");
  expect_refused(http.ask("GET", path + "none"), "no sample has label thread:none");
  expect_refused(http.ask("GET", "/debug/pprof/profile?label=busy"), "KEY:VALUE");
  EXPECT_EQ(http.profiler.windows, 0);
}

}  // namespace
}  // namespace hearth::http
