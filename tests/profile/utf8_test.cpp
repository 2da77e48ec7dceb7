#include "profile/utf8.h"

#include <gtest/gtest.h>

namespace hearth::profile {
namespace {

TEST(Utf8, LeavesGoodTextAlone) {
  for (const char* good : {"", "plain", "naïve→λ", "\xF0\x9F\x94\xA5", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"})
    EXPECT_EQ(valid_utf8(good), good);
}

TEST(Utf8, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(valid_utf8("a\xFF"
                       "b"),
            "a\uFFFDb");
  EXPECT_EQ(valid_utf8("\xC3"), "\uFFFD");
  EXPECT_EQ(valid_utf8("\xE2\x82"), "\uFFFD\uFFFD");
  EXPECT_EQ(valid_utf8("\xC0\xAF"), "\uFFFD\uFFFD") << "overlong";
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD") << "surrogate";
  EXPECT_EQ(valid_utf8("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD") << "beyond Unicode";
}

}  // namespace
}  // namespace hearth::profile
