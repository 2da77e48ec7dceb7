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

TEST(PutUtf8, HasOneToFourBytesACharacter) {
  std::string text;
  for (uint32_t letter : {0x41U, 0x7FU, 0x80U, 0x7FFU, 0x800U, 0xFFFFU, 0x10000U, 0x10FFFFU}) put_utf8(letter, &text);
  EXPECT_EQ(text, "A\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF");
}

}  // namespace
}  // namespace hearth
