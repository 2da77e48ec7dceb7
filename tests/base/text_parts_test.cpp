#include "base/text_parts.h"

#include <gtest/gtest.h>

namespace hearth {
namespace {

using Parts = std::vector<std::string_view>;

TEST(PartsOf, SplitsAtEachSeparator) {
  EXPECT_EQ(parts_of("a,bc,,d", ','), (Parts{"a", "bc", "", "d"}));
  EXPECT_EQ(parts_of("one", ','), Parts{"one"});
}

TEST(PartsOf, BeginsNoPartAtTheEnd) {
  EXPECT_EQ(parts_of("line\nline\n", '\n'), (Parts{"line", "line"}));
  EXPECT_EQ(parts_of("", '\n'), Parts{});
}

TEST(WordsOf, LeavesOutWhiteSpace) {
  EXPECT_EQ(words_of("  a\tbc \n"), (Parts{"a", "bc"}));
  EXPECT_EQ(words_of(" \t"), Parts{});
  EXPECT_EQ(words_of(""), Parts{});
}

}  // namespace
}  // namespace hearth
