#include "profile/codec/utf8.h"

#include <gtest/gtest.h>

namespace hearth::profile {
namespace {

TEST(Utf8, LeavesGoodTextAlone) {
  for (const char* good : {"", "plain", "naïve→λ", "\xF0\x9F\x94\xA5", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"})
    EXPECT_EQ(valid_utf8(good), good);
}

TEST(Utf8, ReplacesInvalidBytes) {
  EXPECT_EQ(valid_utf8("a\xFF"
                       "b"),
            "a\uFFFDb");
  EXPECT_EQ(valid_utf8("\xC3"), "\uFFFD");
  EXPECT_EQ(valid_utf8("\xE2\x82"), "\uFFFD\uFFFD");
  EXPECT_EQ(valid_utf8("\xC0\xAF"), "\uFFFD\uFFFD") << "overlong";
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD") << "surrogate";
  EXPECT_EQ(valid_utf8("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD") << "beyond Unicode";
}

TEST(Utf8, ShowsNothingThatATerminalObeys) {
  EXPECT_EQ(shown_text("a\tb\r\nc"), "a b  c");
  EXPECT_EQ(shown_text(std::string_view("\x1B[31m\0\x7F", 7)), "\uFFFD[31m\uFFFD\uFFFD");
  EXPECT_EQ(shown_text("\xC2\x9B"), "\uFFFD") << "C1";
  EXPECT_EQ(shown_text("\u202Etxt.exe\u202C \u2066x\u2069"), "\uFFFDtxt.exe\uFFFD \uFFFDx\uFFFD");
  for (const char* good : {"naïve→λ", "שלום", "\u00A0", "\u2010", "\u2070", "\xF0\x9F\x94\xA5"})
    EXPECT_EQ(shown_text(good), good);
}

TEST(Utf8, LinesKeepTheirEndsAndNothingElseThatATerminalObeys) {
  EXPECT_EQ(shown_lines("a\tb\nc"), "a\tb\nc");
  EXPECT_EQ(shown_lines("safe\r\x1B]0;title\a\x1B[2J"), "safe\uFFFD\uFFFD]0;title\uFFFD\uFFFD[2J");
  EXPECT_EQ(shown_lines("\xC2\x9B\u202E\x9B"), "\uFFFD\uFFFD\uFFFD");
}

TEST(Utf8, ALetterCutInPartsIsNoWholeOne) {
  EXPECT_EQ(whole_letters(""), 0u);
  EXPECT_EQ(whole_letters("ab"), 2u);
  std::string fire = "a\xF0\x9F\x94\xA5", lambda = "aλ";
  for (size_t cut : {2u, 3u, 4u}) EXPECT_EQ(whole_letters(fire.substr(0, cut)), 1u) << cut;
  EXPECT_EQ(whole_letters(fire), fire.size());
  EXPECT_EQ(whole_letters(lambda.substr(0, 2)), 1u);
  EXPECT_EQ(whole_letters(lambda), 3u);
  EXPECT_EQ(whole_letters("a\x80\x80\x80\x80"), 5u) << "no letter, whatever follows";
}

TEST(Utf8, CutsBehindACharacter) {
  EXPECT_EQ(cut_text("abc", 3), "abc");
  EXPECT_EQ(cut_text("abc", 2), "ab");
  EXPECT_EQ(cut_text("a\xc3\xb6", 2), "a");
  EXPECT_EQ(cut_text("", 0), "");
}

}  // namespace
}  // namespace hearth::profile
