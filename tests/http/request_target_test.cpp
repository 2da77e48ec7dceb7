#include "http/server/request_target.h"

#include <gtest/gtest.h>

namespace hearth::http {
namespace {

using Query = std::multimap<std::string, std::string>;

Request parsed(const std::string& target) {
  Request request;
  set_target(target, &request);
  return request;
}

TEST(RequestTarget, DecodesEscapes) {
  using namespace std::string_literals;
  const std::pair<const char*, std::string> kTexts[] = {
      {"", ""},       {"plain", "plain"}, {"%41%62", "Ab"},   {"%c3%A9", "\xc3\xa9"}, {"a+b", "a+b"},
      {"%2B", "+"},   {"%00", "\0"s},     {"%", "%"},         {"%4", "%4"},           {"%zz", "%zz"},
      {"%4g", "%4g"}, {"%%41", "%A"},     {"%2541", "%41"},   {"%u0041", "%u0041"},   {"%-1", "%-1"},
      {"%+1", "%+1"}, {"% 1", "% 1"},     {"%0x41", "%0x41"}, {"%25", "%"},           {"%ff%", "\xff%"},
  };
  for (const auto& [text, decoded] : kTexts) EXPECT_EQ(percent_decoded(text), decoded) << text;
}

TEST(RequestTarget, PathAndQuery) {
  EXPECT_EQ(parsed("/a%2fb").path, "/a/b");
  EXPECT_EQ(parsed("/a+b").path, "/a+b");
  EXPECT_EQ(parsed("/a%3Fb?c=d").path, "/a?b");
  EXPECT_EQ(parsed("/a?b=c#d").query, (Query{{"b", "c"}}));
  EXPECT_EQ(parsed("/a#?b=c").query, Query());
  EXPECT_EQ(parsed("/a#b").path, "/a");
  EXPECT_EQ(parsed("").path, "");
  EXPECT_EQ(parsed("?a=b").path, "");
}

TEST(RequestTarget, Pairs) {
  EXPECT_EQ(parsed("/?").query, Query());
  EXPECT_EQ(parsed("/?a").query, (Query{{"a", ""}}));
  EXPECT_EQ(parsed("/?a=").query, (Query{{"a", ""}}));
  EXPECT_EQ(parsed("/?=b&&=&c=d").query, (Query{{"c", "d"}}));
  EXPECT_EQ(parsed("/?a=b=c").query, (Query{{"a", "b=c"}}));
  EXPECT_EQ(parsed("/?a=b?c").query, (Query{{"a", "b?c"}}));
  EXPECT_EQ(parsed("/?a+b=c+d%2B").query, (Query{{"a b", "c d+"}}));
  EXPECT_EQ(parsed("/?a=%26b%3Dc").query, (Query{{"a", "&b=c"}}));
  EXPECT_EQ(parsed("/?%61=1&a=2&a=1").query, (Query{{"a", "1"}, {"a", "2"}}));
  EXPECT_EQ(parsed("/?a=1&a=2").parameter("a"), "1") << "the first";
  EXPECT_EQ(parsed("/?A=1").query.count("a"), 0u);
}

TEST(RequestTarget, ReplacesThePreviousTarget) {
  Request request = parsed("/a?b=c");
  set_target("/d?e=f", &request);
  EXPECT_EQ(request.path, "/d");
  EXPECT_EQ(request.query, (Query{{"e", "f"}}));
}

}  // namespace
}  // namespace hearth::http
