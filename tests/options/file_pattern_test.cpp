#include "options/file_pattern.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <regex>

#include "base/error.h"

namespace hearth::options {
namespace {

TEST(FilePattern, PlainNamesStay) {
  EXPECT_EQ(expand_file_pattern("/tmp/a b.html", 1), "/tmp/a b.html");
}

TEST(FilePattern, ProcessAndTime) {
  EXPECT_EQ(expand_file_pattern("%p.html", 1), std::to_string(getpid()) + ".html");
  EXPECT_TRUE(std::regex_match(expand_file_pattern("%t", 1), std::regex("[0-9]{8}-[0-9]{6}")));
}

TEST(FilePattern, NumbersStartOverAfterTheMost) {
  EXPECT_EQ(expand_file_pattern("a%n", 12), "a12");
  EXPECT_EQ(expand_file_pattern("a%n{3}.html", 3), "a3.html");
  EXPECT_EQ(expand_file_pattern("a%n{3}.html", 4), "a1.html");
}

TEST(FilePattern, Environment) {
  setenv("HEARTH_TEST_NAME", "red", 1);
  EXPECT_EQ(expand_file_pattern("%{HEARTH_TEST_NAME}-%%", 1), "red-%");
  EXPECT_THROW(expand_file_pattern("%{HEARTH_NO_SUCH}", 1), Error);
}

TEST(FilePattern, UnknownPatternsAreRefused) {
  EXPECT_THROW(expand_file_pattern("a%q", 1), Error);
  EXPECT_THROW(expand_file_pattern("a%n{0}", 1), Error);
  EXPECT_THROW(expand_file_pattern("a%n{x}", 1), Error);
  EXPECT_EQ(expand_file_pattern("100%", 1), "100%");
}

}  // namespace
}  // namespace hearth::options
