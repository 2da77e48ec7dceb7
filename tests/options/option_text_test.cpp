#include "options/option_text.h"

#include <gtest/gtest.h>

namespace hearth::options {
namespace {

using Words = std::vector<std::string>;

TEST(OptionText, CommasSeparateWords) {
  EXPECT_EQ(option_words("start,event=cpu,,file=/x,"), (Words{"start", "event=cpu", "file=/x"}));
  EXPECT_EQ(option_words(""), Words{});
}

TEST(OptionText, ABackslashEscapesOnlyAComma) {
  EXPECT_EQ(option_words(R"(title=a\, b,threads)"), (Words{"title=a, b", "threads"}));
  EXPECT_EQ(option_words(R"(highlight=/\d\\d/,dot)"), (Words{R"(highlight=/\d\\d/)", "dot"}));
  EXPECT_EQ(option_words(R"(title=a\\,dot)"), (Words{R"(title=a\)", "dot"}));
  EXPECT_EQ(option_words(R"(title=a\\\,dot)"), Words{R"(title=a\,dot)"});
  EXPECT_EQ(option_words(R"(title=a\)"), Words{R"(title=a\)"});
  EXPECT_EQ(option_words(R"(title=a\\)"), Words{R"(title=a\)"});
}

TEST(OptionText, ReadsWhatItWrites) {
  EXPECT_EQ(escaped_value("a,b"), R"(a\,b)");
  EXPECT_EQ(escaped_value(R"(\d{2}\.)"), R"(\d{2}\.)");
  for (const char* value : {"", ",", R"(\)", R"(\,)", R"(\\,\\)", R"(a,,b\)", R"(/\d,\\w\,/i)", R"(a\\\)"})
    EXPECT_EQ(option_words("title=" + escaped_value(value) + ",dot"), (Words{std::string("title=") + value, "dot"}))
        << value;
}

}  // namespace
}  // namespace hearth::options
