#include "http/routes/json_options.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/formatted.h"
#include "options/contradictions.h"
#include "options/event_table.h"
#include "options/option_table.h"

namespace hearth::http {
namespace {

RequestOptions read(const char* json, std::string_view action = "start") {
  return request_options(action, nlohmann::json::parse(json));
}

std::string text(const char* json) {
  return text_of(read(json).given);
}

std::string refusal(const char* json) {
  try {
    return "accepted as " + text(json);
  } catch (const Refusal& refused) {
    EXPECT_EQ(refused.status, 400);
    return refused.message + "; " + refused.hint;
  }
}

TEST(JsonOptions, KeysAndValues) {
  EXPECT_EQ(text("{}"), "");
  EXPECT_EQ(text(R"({"event": "cpu", "interval": 1000000, "threads": true, "simple": false, "lib": null})"),
            "event=cpu,interval=1000000,threads");
  EXPECT_EQ(text(R"({"include": ["a*", "b"], "minwidth": 0.5, "wall": "50ms", "alloc": true})"),
            "alloc,include=a*,include=b,minwidth=0.5,wall=50ms");
  options::Options options = read(R"({"include": ["a*", "b"], "minwidth": 0.5, "wall": "50ms"})").options;
  EXPECT_EQ(options.write.include, (std::vector<std::string>{"a*", "b"}));
  EXPECT_EQ(options.write.minwidth, 0.5);
  EXPECT_EQ(options::interval_of(options, options::Event::kWall), 50'000'000);
  EXPECT_EQ(read(R"({"title": "α = β"})", "dump").options.write.title, "α = β");
  EXPECT_EQ(read(R"({"transform": ["filter:a,b", "merge-similar"]})").options.write.transforms.size(), 2u);
}

TEST(JsonOptions, NothingGetsInByAValue) {
  options::Options options = read(R"({"title": "a,file=/etc/passwd"})", "dump").options;
  EXPECT_EQ(options.file, "");
  EXPECT_EQ(options.write.title, "a,file=/etc/passwd");
  EXPECT_NE(refusal(R"({"event": "cpu,file=/etc/passwd"})").find("option event: cannot use"), std::string::npos);
  EXPECT_NE(refusal(R"({"filter": "a,file=/etc/passwd"})").find("option filter: a value cannot hold commas"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"title": "a\u0000b"})").find("control"), std::string::npos);
  EXPECT_NE(refusal(R"({"title": "a\nb"})").find("control"), std::string::npos);
  EXPECT_NE(refusal(R"({"title": "a\u001fb"})").find("control"), std::string::npos);
  EXPECT_NE(refusal(R"({"start,file": true})").find("unknown option"), std::string::npos);
  EXPECT_NE(refusal(R"({"title=x,file": "/y"})").find("unknown option"), std::string::npos);
}

TEST(JsonOptions, EventsAreTextOrAList) {
  for (const char* json :
       {R"({"event": "alloc,cpu"})", R"({"event": ["alloc", "cpu"]})", R"({"event": ["alloc,cpu"]})"}) {
    options::Options options = read(json).options;
    EXPECT_TRUE(options::samples(options, options::Event::kCpu) && options::samples(options, options::Event::kAlloc))
        << json;
    EXPECT_EQ(options.write.event, "alloc") << json;
  }
}

TEST(JsonOptions, NoEventAtAllIsRefused) {
  for (const char* json : {R"({"event": []})", R"({"event": ""})"}) EXPECT_THROW(read(json), Refusal) << json;
  EXPECT_NO_THROW(read(R"({"include": []})"));
}

TEST(JsonOptions, TitlesAndPatternsHoldCommas) {
  options::Options options = read(R"X({"title": "before, after", "include": "*.run(int, int)"})X", "dump").options;
  EXPECT_EQ(options.write.title, "before, after");
  EXPECT_EQ(options.write.include, std::vector<std::string>{"*.run(int, int)"});
}

TEST(JsonOptions, OptionsOfOtherActionsAreRefused) {
  EXPECT_THROW(read(R"({"title": "x"})", "pause"), Refusal);
  EXPECT_THROW(read(R"({"session": "3"})", "start"), Refusal);
  EXPECT_EQ(read(R"({"session": 3})", "stop").options.session, "3");
}

TEST(JsonOptions, UnknownAndForeignKeysAreNamed) {
  EXPECT_EQ(refusal(R"({"evnt": "cpu"})"), "unknown option \"evnt\"; did you mean \"event\"?");
  for (const char* key : {"file", "log", "loglevel", "quiet", "reply", "http", "token", "stop-http", "start", "stop",
                          "collapsed", "jfr"}) {
    std::string json = std::string("{\"") + key + "\": \"x\"}";
    EXPECT_NE(refusal(json.c_str()).find(std::string("option ") + key + " is not for HTTP"), std::string::npos) << key;
  }
  EXPECT_EQ(refusal(R"({"all": true})"),
            R"(all is an option of async-profiler; name the events: "event": "cpu,wall,alloc,lock")");
  EXPECT_EQ(refusal(R"({"fdtransfer": "1h"})"),
            "fdtransfer is an option of async-profiler; allow perf_event_open to the process; else hearth samples by "
            "timers");
  EXPECT_NE(refusal(R"({"threads": {"a": 1}})").find("option threads"), std::string::npos);
  EXPECT_NE(refusal(R"({"include": [["a"]]})").find("option include"), std::string::npos);
}

TEST(JsonOptions, BodiesThatAreNoObject) {
  for (const char* body : {"[]", "1", "{", "null", "\"x\"", "{} {}", "\xff"}) {
    Request request;
    request.body = body;
    EXPECT_THROW(json_body(request), Refusal) << body;
  }
  EXPECT_TRUE(json_body(Request()).empty());
}

TEST(JsonOptions, Queries) {
  RequestOptions query = request_options("dump", Query{{"title", "x,y"}, {"reverse", ""}, {"total", "true"}});
  EXPECT_EQ(text_of(query.given), "reverse,title=x,y,total");
  EXPECT_TRUE(query.options.write.reverse);
  EXPECT_THROW(request_options("dump", Query{{"file", "x"}}), Refusal);
  profile::WriteOptions options = write_options(Query{{"label", "a:b"}, {"title", "x"}, {"label", "a:c"}});
  ASSERT_EQ(options.labels.size(), 2u);
  EXPECT_EQ(options.labels[1].value, "c");
  EXPECT_EQ(options.title, "x");
  EXPECT_THROW(write_options(Query{{"label", "a"}}), Refusal);
  EXPECT_NE(refusal(R"({"label": "a:b"})").find("label chooses samples of a stored profile"), std::string::npos);
}

TEST(JsonOptions, TheHintForTheTreeNamesAFormatThatThereIs) {
  EXPECT_EQ(refusal(R"({"tree": true})"),
            "option tree is not for HTTP; write \"format\": \"html\"; the page has the tree");
}

TEST(Entries, HttpAcceptsExactlyTheOptionsThatTheTableAllows) {
  for (const options::OptionRow& row : options::option_rows()) {
    nlohmann::json body = nlohmann::json::object();
    if (row.takes == options::Takes::kNothing)
      body[std::string(row.name)] = true;
    else
      body[std::string(row.name)] = std::string(row.example);
    std::string message = refusal(body.dump().c_str());
    std::string expected = row.comes_by(options::kByHttp) ? "accepted as " + std::string(row.name)
                                                          : formatted("option {} is not for HTTP; ", row.name);
    EXPECT_EQ(message.rfind(expected, 0), 0U) << message;
  }
}

TEST(Entries, HttpRefusesContradictions) {
  for (const options::Contradicting& both : options::contradictions()) {
    nlohmann::json body = nlohmann::json::object();
    for (const options::GivenOption& one : both.options) {
      nlohmann::json value = one.value.empty() ? nlohmann::json(true) : nlohmann::json(std::string(one.value));
      body[std::string(one.name)].push_back(value);
    }
    std::string message = refusal(body.dump().c_str());
    EXPECT_NE(message.find(both.sentence), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace hearth::http
