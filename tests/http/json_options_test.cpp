#include "http/json_options.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace hearth::http {
namespace {

std::string text(const char* json) {
  return options_text(nlohmann::json::parse(json));
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
  EXPECT_EQ(text(R"({"title": "α = β"})"), "title=α = β");
  EXPECT_EQ(text(R"({"transform": ["filter:a,b", "merge-similar"]})"),
            "transform=filter:a\x1f"
            "b,transform=merge-similar");
}

TEST(JsonOptions, NothingGetsInByAValue) {
  EXPECT_EQ(session::parse_options("dump," + text(R"({"title": "a,file=/etc/passwd"})")).file, "");
  EXPECT_NE(refusal(R"({"event": "cpu,file=/etc/passwd"})").find("option event: a value cannot hold commas"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"title": "a\u0000b"})").find("control"), std::string::npos);
  EXPECT_NE(refusal(R"({"title": "a\nb"})").find("control"), std::string::npos);
  EXPECT_NE(refusal(R"({"start,file": true})").find("unknown option"), std::string::npos);
  EXPECT_NE(refusal(R"({"title=x,file": "/y"})").find("unknown option"), std::string::npos);
}

TEST(JsonOptions, TitlesAndPatternsHoldCommas) {
  session::Options options =
      session::parse_options("dump," + text(R"X({"title": "before, after", "include": "*.run(int, int)"})X"));
  EXPECT_EQ(options.write.title, "before, after");
  EXPECT_EQ(options.write.include, std::vector<std::string>{"*.run(int, int)"});
}

TEST(JsonOptions, UnknownAndForeignKeysAreNamed) {
  EXPECT_EQ(refusal(R"({"evnt": "cpu"})"), "unknown option \"evnt\"; did you mean \"event\"?");
  for (const char* key :
       {"file", "log", "loglevel", "quiet", "reply", "http", "token", "stop-http", "start", "stop", "collapsed"}) {
    std::string json = std::string("{\"") + key + "\": \"x\"}";
    EXPECT_NE(refusal(json.c_str()).find(std::string("option ") + key + " is not for HTTP"), std::string::npos) << key;
  }
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
  EXPECT_EQ(options_text(Query{{"title", "x"}, {"reverse", ""}, {"total", "true"}}), "reverse,title=x,total");
  EXPECT_THROW(options_text(Query{{"file", "x"}}), Refusal);
  profile::WriteOptions options = write_options(Query{{"label", "a:b"}, {"title", "x"}, {"label", "a:c"}});
  ASSERT_EQ(options.labels.size(), 2u);
  EXPECT_EQ(options.labels[1].value, "c");
  EXPECT_EQ(options.title, "x");
  EXPECT_THROW(write_options(Query{{"label", "a"}}), Refusal);
  EXPECT_NE(refusal(R"({"label": "a:b"})").find("label chooses from a profile that is there"), std::string::npos);
}

}  // namespace
}  // namespace hearth::http
