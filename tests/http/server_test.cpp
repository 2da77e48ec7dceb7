#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "http/server/framing.h"
#include "http_client.h"
#include "options/event_table.h"
#include "options/options.h"
#include "wait_until.h"

namespace hearth::http {
namespace {

using namespace std::chrono_literals;

nlohmann::json json(const Response& response) {
  return nlohmann::json::parse(response.body, nullptr, false);
}

std::string code(const Response& response) {
  nlohmann::json body = json(response);
  return body.contains("error") && !body["error"].value("message", "").empty() ? body["error"].value("code", "")
                                                                               : "no error";
}

size_t open_files() {
  std::filesystem::directory_iterator all("/proc/self/fd"), end;
  return static_cast<size_t>(std::distance(all, end));
}

bool is_running(FakeProfiler& profiler) {
  std::vector<commands::SessionFigures> all = profiler.figures();
  return !all.empty() && all[0].running;
}

TEST(Server, AnswersAndRefuses) {
  TestServer http;
  EXPECT_EQ(http.ask("GET", "/api/status").status, 200);
  EXPECT_EQ(json(http.ask("GET", "/api/status"))["jvm"]["pid"], 4711);
  EXPECT_EQ(json(http.ask("GET", "/api/events"))["events"][0]["name"], "cpu");
  EXPECT_EQ(http.ask("GET", "/").status, 200);
  EXPECT_EQ(http.ask("GET", "/", "", "Authorization: none\r\n").status, 200);
  EXPECT_EQ(code(http.ask("GET", "/api/status", "", "Authorization: none\r\n")), "unauthorized");
  EXPECT_EQ(code(http.ask("GET", "/none", "", "Authorization: none\r\n")), "unauthorized");
  EXPECT_EQ(code(http.ask("GET", "/none")), "not_found");
  EXPECT_EQ(code(http.ask("PUT", "/api/status")), "method_not_allowed");
  EXPECT_EQ(code(http.ask("GET", "/", "", "Host: evil.example\r\n")), "foreign_host");
  EXPECT_EQ(code(http.ask("GET", "/", "", "Origin: http://evil.example\r\n")), "foreign_origin");
  EXPECT_EQ(http.ask("POST", "/api/start", std::string(kMostBody + 1, 'x')).status, 413);
  EXPECT_EQ(code(http.ask("GET", "/api/diff/a/b.html")), "not_found");
  EXPECT_EQ(http.ask("HEAD", "/api/status").body, "");
  EXPECT_NE(http.ask("GET", "/metrics").body.find("hearth_build_info"), std::string::npos);
}

TEST(Server, EveryReplyIsStrictWithBrowsers) {
  TestServer http;
  for (const Response& response :
       {http.ask("GET", "/"), http.ask("GET", "/api/status"), http.ask("GET", "/none"),
        http.ask_raw("nonsense\r\n\r\n"), http.ask_raw("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")}) {
    EXPECT_NE(response.head.find("\r\nX-Content-Type-Options: nosniff"), std::string::npos) << response.head;
    EXPECT_NE(response.head.find("\r\nContent-Security-Policy: default-src 'none'"), std::string::npos)
        << response.head;
    EXPECT_EQ(response.head.find("Access-Control"), std::string::npos) << response.head;
  }
}

TEST(Server, NonsenseGetsAnAnswer) {
  TestServer http;
  for (const char* nonsense : {"\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2.0\r\n\r\n",
                               "BREW / HTTP/1.1\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
                               "GET / HTTP/1.1\nHost: x\n\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"}) {
    Response response = http.ask_raw(nonsense);
    EXPECT_EQ(response.status, 400) << nonsense;
    EXPECT_EQ(code(response), "bad_request") << nonsense;
  }
  EXPECT_EQ(http.ask_raw("\x16\x03\x01").status, 400);
}

TEST(Server, ASessionFromStartToDeletion) {
  TestServer http;
  EXPECT_EQ(code(http.ask("POST", "/api/stop")), "no_session");
  Response started = http.ask("POST", "/api/start", R"({"event": "cpu", "threads": true})");
  ASSERT_EQ(started.status, 200) << started.body;
  std::string id = json(started)["id"];
  options::Options start = http.profiler.commands().back();
  EXPECT_EQ(start.action, options::Action::kStart);
  EXPECT_TRUE(options::samples(start, options::Event::kCpu) && start.threads);
  EXPECT_EQ(start.formats, std::vector<profile::Format>{profile::Format::kPprof});
  EXPECT_EQ(start.file, formatted("{}/profiles/{}.pb.gz", http.folder.path("home"), id));
  EXPECT_EQ(code(http.ask("POST", "/api/start")), "session_running");
  EXPECT_EQ(http.ask("POST", "/api/dump", R"({"format": "collapsed"})").head.substr(0, 15), "HTTP/1.1 200 OK");
  options::Options dump = http.profiler.commands().back();
  EXPECT_EQ(dump.action, options::Action::kDump);
  EXPECT_EQ(dump.session, "1");
  EXPECT_EQ(dump.file, "");
  EXPECT_TRUE(dump.has_output_option && dump.threads) << "as the start wanted";
  http.ask("POST", "/api/dump", R"({"format": "collapsed", "simple": true})");
  dump = http.profiler.commands().back();
  EXPECT_TRUE(dump.simple_names && !dump.threads) << "as the dump wants";
  Response flat = http.ask("POST", "/api/dump", R"({"format": "flat=1"})");
  EXPECT_EQ(flat.head.substr(0, 15), "HTTP/1.1 200 OK");
  EXPECT_LT(flat.body.size(), http.ask("POST", "/api/dump", R"({"format": "flat"})").body.size());
  for (const char* wrong : {"flat=0", "flat=x", "collapsed=3", "traces=1,file=/x"})
    EXPECT_EQ(http.ask("POST", "/api/dump", formatted(R"({{"format": "{}"}})", wrong)).head.substr(0, 12),
              "HTTP/1.1 400")
        << wrong;
  Response stopped = http.ask("POST", "/api/stop");
  EXPECT_EQ(json(stopped)["profile"]["id"], id);
  EXPECT_EQ(json(http.ask("GET", "/api/profiles"))["profiles"].size(), 1u);
  EXPECT_EQ(http.ask("GET", "/api/profiles/" + id).status, 200);
  for (const char* ending : {".html", ".collapsed", ".pb.gz", ".jfr", ".json"})
    EXPECT_EQ(http.ask("GET", "/api/profiles/" + id + ending).status, 200) << ending;
  EXPECT_EQ(http.ask("GET", "/api/profiles/" + id + ".html?title=x&reverse").status, 200);
  EXPECT_EQ(code(http.ask("GET", "/api/profiles/" + id + ".html?minwidth=x")), "bad_option");
  for (auto [ending, what] : {std::pair(".pdf", "PDF"), {".svg", "SVG"}, {".txt", ".txt"}}) {
    Response refused = http.ask("GET", "/api/profiles/" + id + ending);
    EXPECT_EQ(code(refused), "not_found") << ending;
    EXPECT_NE(refused.body.find(std::string("profiles are not offered as ") + what), std::string::npos) << refused.body;
    EXPECT_NE(refused.body.find("ID.html, ID.collapsed, ID.pb.gz, ID.jfr, ID.otlp or ID.json"), std::string::npos)
        << refused.body;
  }
  EXPECT_EQ(http.ask("DELETE", "/api/profiles/" + id).status, 200);
  EXPECT_EQ(code(http.ask("GET", "/api/profiles/" + id)), "not_found");
}

TEST(Server, NoPathLeavesTheStore) {
  TestServer http;
  replace_file(http.folder.path("home/secret.pb.gz"), "secret");
  for (const char* name : {"../secret", "..%2fsecret", "%2e%2e%2fsecret", "..%5csecret", "....//secret", "%00", "..",
                           ".", "/etc/passwd", "%252e%252e%252fsecret"}) {
    for (const char* ending : {"", ".pb.gz", ".html"}) {
      std::string path = formatted("/api/profiles/{}{}", name, ending);
      EXPECT_EQ(http.ask("GET", path).status, 404) << path;
      EXPECT_EQ(http.ask("DELETE", path).status, 404) << path;
    }
  }
  EXPECT_EQ(read_file(http.folder.path("home/secret.pb.gz")), "secret");
}

TEST(Server, ALinkLetsInOnce) {
  TestServer http;
  std::string body = nlohmann::json({{"once", http.once}}).dump();
  EXPECT_EQ(json(http.ask("POST", "/api/login", body, "Authorization: none\r\n"))["token"], http.token);
  EXPECT_EQ(code(http.ask("POST", "/api/login", body)), "unauthorized");
}

TEST(Server, APageIsOpenedByALinkOfItsOwn) {
  TestServer http;
  std::string id = json(http.ask("POST", "/api/profile", R"({"seconds": 0.01})"))["profile"]["id"];
  std::string body = nlohmann::json({{"path", "/api/profiles/" + id + ".html"}}).dump();
  EXPECT_EQ(http.ask("POST", "/api/links", body, "Authorization: none\r\n").status, 401);
  std::string link = json(http.ask("POST", "/api/links", body))["link"];
  Response page = http.ask("GET", link, "", "Authorization: none\r\n");
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(page.head.find("sandbox"), std::string::npos) << page.head;
  EXPECT_EQ(http.ask("DELETE", link).status, 405);
  EXPECT_EQ(http.ask("GET", link + "0", "", "Authorization: none\r\n").status, 404);
  for (const char* path : {"/api/status", "/api/profiles", "/open/x", "/api/profiles/../status", "/api/profiles/a/b"}) {
    body = nlohmann::json({{"path", path}}).dump();
    EXPECT_GE(http.ask("POST", "/api/links", body).status, 400) << path;
  }
  for (const std::string& path : std::vector<std::string>{"/api/profiles/none.html", "/api/diff/" + id + "/none.html",
                                                          "/api/diff/none/" + id + ".html"})
    EXPECT_EQ(code(http.ask("POST", "/api/links", nlohmann::json({{"path", path}}).dump())), "not_found") << path;
  EXPECT_NE(http.ask("POST", "/api/links", R"({"path": "/api/status"})").body.find("/api/diff/A/B.html"),
            std::string::npos);
}

TEST(Server, AnEndedProfileIsStoredOnce) {
  TestServer http;
  auto id = [&](const char* action, const char* body) { return json(http.ask("POST", action, body))["profile"]["id"]; };
  http.ask("POST", "/api/start");
  EXPECT_NE(id("/api/dump", ""), id("/api/dump", ""));
  nlohmann::json stopped = id("/api/stop", "");
  EXPECT_EQ(id("/api/dump", ""), stopped);
  EXPECT_NE(id("/api/dump", R"({"threads": true})"), stopped);
  http.ask("DELETE", "/api/profiles/" + stopped.get<std::string>());
  EXPECT_NE(id("/api/dump", ""), stopped);
}

TEST(Server, TheLogReportsClientsThatLeft) {
  TestServer http;
  {
    UniqueFd connection = connect_to(http.address);
    std::string body = R"({"seconds": 3600})";
    send_all(connection, formatted("POST /api/profile HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n"
                                   "Content-Length: {}\r\n\r\n{}",
                                   http.token, body.size(), body));
  }
  wait_until("the first line", [&] { return !http.profiler.lines().empty(); });
  EXPECT_NE(http.profiler.lines().back().find("/api/profile: 499 (the client left)"), std::string::npos)
      << http.profiler.lines().back();
  EXPECT_TRUE(http.profiler.warnings().empty()) << "a client may leave";
}

TEST(Server, TheLogWarnsOfFailures) {
  TestServer http;
  EXPECT_EQ(http.ask("DELETE", "/api/profiles/none").status, 404);
  EXPECT_EQ(http.profiler.lines().size(), 1u);
  EXPECT_TRUE(http.profiler.warnings().empty());
  std::filesystem::remove_all(http.folder.path("home"));
  replace_file(http.folder.path("home"), "no folder");
  EXPECT_EQ(http.ask("POST", "/api/profile", R"({"seconds": 0.01})").status, 500);
  EXPECT_EQ(http.profiler.warnings().size(), 1u);
}

TEST(Server, AUnixSocketNeedsNoTokenAndNamesNone) {
  Folder folder;
  std::string address = "unix:" + folder.path("socket");
  TestServer http(address);
  EXPECT_EQ(http.server.serve(options::parse_options("http=" + address)).text, "Control server: " + address);
  EXPECT_EQ(http.ask("GET", "/api/status", "", "Authorization: none\r\n").status, 200);
  TestServer tcp;
  EXPECT_NE(tcp.server.serve(options::parse_options("http=0")).text.find("\nToken: "), std::string::npos);
}

TEST(Server, TwoStoredProfilesAreCompared) {
  TestServer http;
  auto make = [&] { return json(http.ask("POST", "/api/profile", R"({"seconds": 0.01})"))["profile"]["id"]; };
  std::string before = make(), after = make();
  std::string path = formatted("/api/diff/{}/{}", before, after);
  nlohmann::json difference = json(http.ask("GET", path + ".json"));
  EXPECT_EQ(difference["before"]["name"], before);
  EXPECT_EQ(difference["after"]["name"], after);
  EXPECT_GT(difference["methods"].size(), 0u);
  EXPECT_EQ(difference["normalized"], true);
  EXPECT_EQ(json(http.ask("GET", path))["event"], "cpu");
  EXPECT_EQ(json(http.ask("GET", path + ".json?absolute"))["normalized"], false);
  EXPECT_NE(http.ask("GET", path + ".txt").body.find("clojure.main/main;cheshire.parse/parse* 4 4\n"),
            std::string::npos)
      << http.ask("GET", path + ".txt").body;
  EXPECT_EQ(http.ask("GET", path + ".collapsed").body, http.ask("GET", path + ".txt").body);
  EXPECT_NE(http.ask("GET", path + ".html?title=x").head.find("sandbox allow-scripts"), std::string::npos);
  for (const char* query :
       {".html?absolute&normalize", ".html?absolute=x", ".html?event=x,y", ".html?nonsense", ".pb.gz"})
    EXPECT_EQ(code(http.ask("GET", path + query)), "bad_option") << query;
  EXPECT_EQ(code(http.ask("GET", path + ".html?event=wall")), "not_comparable");
  EXPECT_EQ(code(http.ask("GET", path + "x.html")), "not_found");
  EXPECT_EQ(code(http.ask("GET", formatted("/api/diff/..%2fx/{}.html", after))), "not_found");
  std::string body = nlohmann::json({{"path", path + ".html"}}).dump();
  std::string link = json(http.ask("POST", "/api/links", body))["link"];
  EXPECT_EQ(http.ask("GET", link + "?absolute", "", "Authorization: none\r\n").status, 200);
}

TEST(Server, TheLogHasEachChangeAndNoSecret) {
  TestServer http;
  http.ask("GET", "/api/status");
  http.ask("POST", "/api/start", R"({"event": "cpu", "title": "x"})");
  http.ask("GET", "/api/status", "", "Authorization: Bearer wrong\r\n");
  std::vector<std::string> lines = http.profiler.lines();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NE(lines[0].find("POST /api/start, start,event=cpu,title=x: 200"), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find("GET /api/status: 401"), std::string::npos) << lines[1];
  EXPECT_EQ(http.profiler.warnings(), std::vector<std::string>{lines[1]}) << "what went well is no warning";
  for (const std::string& line : lines) EXPECT_EQ(line.find(http.token), std::string::npos);
}

TEST(Server, OneConnectionManyRequests) {
  TestServer http;
  UniqueFd connection = connect_to(http.address);
  std::string one =
      formatted("GET /api/status HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n", http.token);
  send_all(connection, one + "\r\n" + one + "\r\n" + one + "Connection: close\r\n\r\n");
  std::string all = receive_all(connection);
  size_t answers = 0;
  for (size_t at = all.find("HTTP/1.1 200"); at != std::string::npos; at = all.find("HTTP/1.1 200", at + 1)) answers++;
  EXPECT_EQ(answers, 3u);
}

TEST(Server, AnOldClientsConnectionEnds) {
  TestServer http;
  UniqueFd connection = connect_to(http.address);
  send_all(connection, "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n");
  EXPECT_NE(receive_all(connection).find("HTTP/1.1 200"), std::string::npos);
}

TEST(Server, ABodyThatWaitsToBeWantedIs) {
  TestServer http;
  UniqueFd connection = connect_to(http.address);
  send_all(connection,
           formatted("POST /api/dump HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nConnection: close\r\n"
                     "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n",
                     http.token));
  char first[25];
  ASSERT_EQ(recv(connection.get(), first, sizeof first, MSG_WAITALL), 25);
  EXPECT_EQ(std::string(first, 25), "HTTP/1.1 100 Continue\r\n\r\n");
  send_all(connection, "{}");
  EXPECT_NE(receive_all(connection).find("HTTP/1.1 409"), std::string::npos);
}

TEST(Server, AStalledClientGetsAnAnswer) {
  ConnectionLimits limits;
  limits.request_timeout = 20ms;
  limits.idle_timeout = 20ms;
  TestServer http("0", limits);
  UniqueFd half = connect_to(http.address), silent = connect_to(http.address);
  send_all(half, "GET /");
  EXPECT_NE(receive_all(half).find("HTTP/1.1 408"), std::string::npos);
  EXPECT_EQ(receive_all(silent), "");
}

TEST(Server, TheLongestIdleConnectionIsClosedWhenThereAreTooMany) {
  ConnectionLimits limits;
  limits.max_connections = 4;
  TestServer http("0", limits);
  std::vector<UniqueFd> all;
  for (int i = 0; i < 20; i++) all.push_back(connect_to(http.address));
  EXPECT_EQ(http.ask("GET", "/api/status").status, 200);
  EXPECT_EQ(receive_all(all[0]), "");
}

TEST(Server, AClientThatDoesNotReadHoldsNobody) {
  ConnectionLimits limits;
  limits.max_workers = 2;
  TestServer http("0", limits);
  http.ask("POST", "/api/start");
  std::vector<UniqueFd> stuck;
  for (int i = 0; i < 20; i++) {
    stuck.push_back(connect_to(http.address));
    send_all(
        stuck.back(),
        formatted("POST /api/dump HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Length: 18\r\n\r\n"
                  "{{\"format\": \"html\"}}",
                  http.token));
  }
  EXPECT_EQ(http.ask("GET", "/api/status").status, 200);
}

TEST(Server, AProfileEndsWhenItsClientHasGone) {
  TestServer http;
  UniqueFd client = connect_to(http.address);
  send_all(client,
           formatted(
               "POST /api/profile HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Length: 17\r\n\r\n"
               "{{\"seconds\": 3600}}",
               http.token));
  wait_until("a session that runs", [&] { return is_running(http.profiler); });
  EXPECT_EQ(code(http.ask("POST", "/api/start")), "session_running");
  client.reset();
  wait_until("the end of the session", [&] { return !is_running(http.profiler); });
}

TEST(Server, AProfileBehindAnotherRequestEndsAsWell) {
  TestServer http;
  std::string request = formatted(
      "POST /api/profile HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Length: "
      "17\r\n\r\n{{\"seconds\": 3600}}",
      http.token);
  http.ask_raw(request + request);  // its half of the connection ends at once
  EXPECT_FALSE(is_running(http.profiler));
}

TEST(Server, SomeMayWaitForProfilesAndTheOthersAreAnswered) {
  TestServer http;
  Response profile = http.ask("POST", "/api/profile", R"({"seconds": 0.01, "format": "json"})");
  EXPECT_EQ(profile.status, 200);
  EXPECT_GT(json(profile)["samples"].size(), 0u);
  EXPECT_EQ(code(http.ask("POST", "/api/profile", R"({"seconds": 0})")), "bad_option");
  EXPECT_EQ(code(http.ask("POST", "/api/profile", R"({"seconds": "1"})")), "bad_option");
  EXPECT_EQ(code(http.ask("POST", "/api/profile", R"({"seconds": 1, "timeout": 1})")), "bad_option");
  std::string stored = json(http.ask("POST", "/api/profile", R"({"seconds": 0.01})"))["profile"]["id"];
  EXPECT_EQ(http.ask("GET", "/api/profiles/" + stored + ".html").status, 200);
}

TEST(Server, StopsInTheMiddleOfEverythingAndStartsAgain) {
  Folder folder;
  FakeProfiler profiler;
  ControlServer server(&profiler);
  options::Options options = options::parse_options("http=unix:" + folder.path("s"));
  size_t files = open_files();
  for (int i = 0; i < 20; i++) {
    server.serve(options);
    EXPECT_FALSE(server.serve(options).is_new);
    EXPECT_THROW(server.serve(options::parse_options("http=1")), Error);
    UniqueFd idle = connect_to("unix:" + folder.path("s")), half = connect_to("unix:" + folder.path("s")),
             waits = connect_to("unix:" + folder.path("s"));
    send_all(half, "GET / HT");
    send_all(waits, "POST /api/profile HTTP/1.1\r\nContent-Length: 17\r\n\r\n{\"seconds\": 3600}");
    wait_until("a session that runs", [&] { return is_running(profiler); });
    server.stop();
    EXPECT_FALSE(is_running(profiler));
    EXPECT_EQ(profiler.threads, 0);
    EXPECT_NE(access(folder.path("s").c_str(), F_OK), 0);
    EXPECT_EQ(receive_all(idle), "");
  }
  EXPECT_THROW(server.stop(), Error);
  EXPECT_EQ(open_files(), files);
}

TEST(Server, AUnixSocketIsThisUsersAlone) {
  Folder folder;
  TestServer http("unix:" + folder.path("s"));
  struct stat info {};
  ASSERT_EQ(stat(folder.path("s").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_EQ(http.ask("GET", "/api/status", "", "Authorization: none\r\nHost: any\r\n").status, 200);
  FakeProfiler profiler;
  ControlServer second(&profiler);
  EXPECT_THROW(second.serve(options::parse_options("http=unix:" + folder.path("s"))), Error);  // it is in use
}

TEST(Server, ASocketLeftBehindIsReplacedAndAFileIsNot) {
  Folder folder;
  std::string path = folder.path("s");
  {
    UniqueFd left(socket(AF_UNIX, SOCK_STREAM, 0));
    TestServer made("unix:" + path);
    ASSERT_EQ(rename(path.c_str(), folder.path("kept").c_str()), 0);
  }
  ASSERT_EQ(rename(folder.path("kept").c_str(), path.c_str()), 0);  // nobody listens there any more
  { TestServer http("unix:" + path); }
  replace_file(path, "a file");
  EXPECT_THROW(TestServer("unix:" + path), Error);
  EXPECT_EQ(read_file(path), "a file");
}

TEST(Server, AnotherAddressNeedsATokenOfOnesOwn) {
  Folder folder;
  FakeProfiler profiler;
  ControlServer server(&profiler);
  EXPECT_THROW(server.serve(options::parse_options("http=0.0.0.0:0")), Error);
  EXPECT_THROW(server.serve(options::parse_options("http=192.0.2.1:0")), Error);
  EXPECT_EQ(profiler.threads, 0);
  server.serve(options::parse_options("http=0.0.0.0:0,token=" + folder.path("token")));
  EXPECT_NE(profiler.lines().back().find("not encrypted"), std::string::npos);
  server.end();
  server.end();
}

}  // namespace
}  // namespace hearth::http
