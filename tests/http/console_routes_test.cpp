// The console's requests.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/formatted.h"
#include "http_client.h"
#include "page.h"

namespace hearth::http {
namespace {

nlohmann::json json(const Response& response) {
  return nlohmann::json::parse(response.body, nullptr, false);
}

std::string code(const Response& response) {
  return json(response).value(nlohmann::json::json_pointer("/error/code"), "no error");
}

TEST(ConsoleRoutes, ReadingRequestsAreNotLogged) {
  TestServer http;
  EXPECT_EQ(code(http.ask("GET", "/api/live")), "no_session");
  http.ask("POST", "/api/start", R"({"event": "cpu", "threads": true})");
  size_t lines = http.profiler.lines().size();
  EXPECT_NE(http.ask("GET", "/api/live?format=html").body.find("hearth-data"), std::string::npos);
  options::Options command = http.profiler.commands().back();
  EXPECT_EQ(command.action, options::Action::kDump);
  EXPECT_EQ(command.session, "1");
  EXPECT_TRUE(command.threads && !command.simple_names);
  EXPECT_EQ(http.ask("GET", "/api/live?format=collapsed&simple").status, 200);
  command = http.profiler.commands().back();
  EXPECT_TRUE(command.simple_names && !command.threads);
  EXPECT_EQ(code(http.ask("GET", "/api/live?format=x")), "bad_option");
  EXPECT_EQ(http.profiler.lines().size(), lines);
  http.ask("POST", "/api/stop");
  EXPECT_EQ(code(http.ask("GET", "/api/live")), "no_session");
}

TEST(ConsoleRoutes, ListsTheOptionsOfAStart) {
  TestServer http;
  nlohmann::json reply = json(http.ask("GET", "/api/options"));
  std::map<std::string, nlohmann::json> options;
  for (const nlohmann::json& option : reply["options"]) options[option["name"]] = option;
  EXPECT_EQ(options["title"]["takes"], "value");
  EXPECT_EQ(options["wall"]["takes"], "optional");
  EXPECT_EQ(options["threads"]["takes"], "nothing");
  EXPECT_EQ(options["include"]["takes"], "values");
  EXPECT_EQ(options["cstack"]["accepts"], "vm, vmx, agct, dwarf, fp, no");
  EXPECT_EQ(options["threads"]["output"], true);
  EXPECT_EQ(options["filter"]["output"], false);
  EXPECT_EQ(options["wall"]["default"], "50ms");
  EXPECT_EQ(options["filter"]["default"], "");
  EXPECT_EQ(options["wall"]["example"], "20ms");
  EXPECT_EQ(options["wall"]["group"], "events");
  EXPECT_EQ(options["sort"]["group"], "page");
  EXPECT_EQ(options["threads"]["about"], "Each thread by itself");
  for (const char* other : {"start", "file", "http", "token", "log", "reply", "pprof"})
    EXPECT_EQ(options.count(other), 0u) << other;
}

TEST(ConsoleRoutes, ReportsTheUptimeOfTheProcess) {
  TestServer http;
  nlohmann::json jvm = json(http.ask("GET", "/api/status"))["jvm"];
  EXPECT_GT(jvm["uptime_ns"], 0);
  EXPECT_GT(jvm["cpu_ns"], 0);
  http.ask("POST", "/api/start");  // a change is reported at once
  nlohmann::json later = json(http.ask("GET", "/api/status"))["jvm"];
  EXPECT_GE(later["uptime_ns"], jvm["uptime_ns"]);
  EXPECT_GT(later["cpu_ns"], jvm["cpu_ns"]);
}

TEST(ConsoleRoutes, TheConsoleRunsItsOwnScriptAlone) {
  TestServer http;
  Response page = http.ask("GET", "/", "", "Authorization: none\r\n");
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(
      page.head.find(formatted("Content-Security-Policy: {}; frame-ancestors 'none'\r\n", html::console_policy())),
      std::string::npos)
      << page.head;
  EXPECT_EQ(page.body, html::console_page());
}

}  // namespace
}  // namespace hearth::http
