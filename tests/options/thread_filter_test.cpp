#include "options/thread_filter.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hearth::options {
namespace {

std::string refusal_of(std::string_view text) {
  try {
    ThreadFilter filter(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ThreadFilter, WithoutTextEveryThread) {
  EXPECT_TRUE(ThreadFilter().accepts_all());
  EXPECT_TRUE(ThreadFilter().accepts(1, ""));
}

TEST(ThreadFilter, IdsAndRanges) {
  ThreadFilter filter("120-127;132;134");
  for (int tid : {120, 123, 127, 132, 134}) EXPECT_TRUE(filter.accepts(tid, "any")) << tid;
  for (int tid : {119, 128, 133, 1}) EXPECT_FALSE(filter.accepts(tid, "any")) << tid;
  EXPECT_FALSE(filter.asks_for_names());
}

TEST(ThreadFilter, NamesAreMatchedWhole) {
  ThreadFilter filter("main;pool-1-thread-[0-9]+;.*poller");
  EXPECT_TRUE(filter.asks_for_names());
  for (const char* name : {"main", "pool-1-thread-12", "the poller"}) EXPECT_TRUE(filter.accepts(5, name)) << name;
  for (const char* name : {"domain", "main2", "pool-1-thread-", "poller 2", ""})
    EXPECT_FALSE(filter.accepts(5, name)) << name;
}

TEST(ThreadFilter, EachSideOfAnAlternativeIsMatchedWhole) {
  ThreadFilter filter("a|b");
  EXPECT_TRUE(filter.accepts(5, "a"));
  EXPECT_FALSE(filter.accepts(5, "ax"));
  EXPECT_FALSE(filter.accepts(5, "xb"));
}

TEST(ThreadFilter, ANameWithSpecialCharactersIsItself) {
  EXPECT_TRUE(ThreadFilter("worker (1)").accepts(5, "worker (1)"));
  EXPECT_TRUE(ThreadFilter("worker-1.2").accepts(5, "worker-1.2"));
}

TEST(ThreadFilter, IdsAndNamesTogether) {
  ThreadFilter filter("7;main");
  EXPECT_TRUE(filter.accepts(7, "other"));
  EXPECT_TRUE(filter.accepts(8, "main"));
  EXPECT_FALSE(filter.accepts(8, "other"));
}

TEST(ThreadFilter, RefusesInvalidFilters) {
  EXPECT_NE(refusal_of("").find("names no thread"), std::string::npos);
  EXPECT_NE(refusal_of(";;").find("names no thread"), std::string::npos);
  EXPECT_NE(refusal_of("9-3").find("\"9-3\" is not a range"), std::string::npos);
  EXPECT_NE(refusal_of("0").find("\"0\" is not a range"), std::string::npos);
  EXPECT_NE(refusal_of("main;(").find("\"(\" is neither a thread id nor a regular expression"), std::string::npos);
  EXPECT_NE(refusal_of("[a").find("regular expression"), std::string::npos);
}

TEST(ThreadFilter, AWordThatOnlyStartsLikeAnIdIsAName) {
  EXPECT_TRUE(ThreadFilter("1-a").accepts(5, "1-a"));
  EXPECT_TRUE(ThreadFilter("12-34-56").accepts(5, "12-34-56"));
}

TEST(ThreadFilter, ALongNameNeedsNoStack) {
  EXPECT_TRUE(ThreadFilter("(a|b)*").accepts(5, std::string(1 << 20, 'a')));
}

TEST(ThreadFilter, TooComplexExpressionsAreRefused) {
  std::string deep = std::string(60, '(') + "a" + std::string(60, ')');
  for (const std::string& bad :
       {deep, std::string(1001, 'a'), std::string("((a{100}){100}){30}"), std::string("a{99999999999999999999}")})
    EXPECT_THROW(ThreadFilter filter(bad), Error) << bad;
  EXPECT_TRUE(ThreadFilter("((a|b){1,100})").accepts(1, "aab"));
  EXPECT_NO_THROW(ThreadFilter(std::string(900, 'a') + ";" + std::string(900, 'b')));
}

std::string repeated(const std::string& part, int times) {
  std::string text;
  for (int i = 0; i < times; i++) text += part + ";";
  return text;
}

TEST(ThreadFilter, PartsAreBoundedTogether) {
  const std::string why = "together are too long, or repeat too much";
  for (const std::string& bad : {repeated("a{999}", 200), repeated("a", 9000), "(" + std::string(980, 'a') + "){999}"})
    EXPECT_NE(refusal_of(bad).find(why), std::string::npos) << bad.substr(0, 40);
  EXPECT_EQ(refusal_of(repeated("pool-[0-9]+-thread-.*", 1000)), "accepted");
  EXPECT_EQ(refusal_of(repeated("1000-2000", 6000)), "accepted") << "ids take little";
}

}  // namespace
}  // namespace hearth::options
