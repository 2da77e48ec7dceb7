#include "launcher/text/columns.h"

#include <gtest/gtest.h>

namespace hearth::launcher {
namespace {

using Frames = std::vector<std::string>;

TEST(Columns, CountCharactersNotBytes) {
  EXPECT_EQ(columns_of("naïve→λ"), 7u);
  EXPECT_EQ(columns_of(""), 0u);
}

TEST(Columns, ALongNameKeepsItsEnd) {
  EXPECT_EQ(shortened("java/lang/String", 16), "java/lang/String");
  EXPECT_EQ(shortened("java/lang/String", 10), "…ng/String");
  EXPECT_EQ(shortened("λλλλ", 3), "…λλ");
  EXPECT_EQ(shortened("abc", 1), "…");
}

TEST(Columns, AChainShowsItsEndsAndAsMuchAsFits) {
  Frames frames = {"main", "run", "load", "eval", "parse"};
  EXPECT_EQ(chain_text(frames, 80, true), "main › run › load › eval › parse");
  EXPECT_EQ(chain_text(frames, 32, true), "main › run › load › eval › parse");
  EXPECT_EQ(chain_text(frames, 31, true), "main › … 2 … › eval › parse");
  EXPECT_EQ(chain_text(frames, 26, true), "main › run › … 2 … › parse");
  EXPECT_EQ(chain_text(frames, 25, true), "main › … 3 … › parse");
  EXPECT_EQ(chain_text({"main"}, 80, true), "main");
}

TEST(Columns, AChainIsCutToItsColumnsOrNotAtAll) {
  Frames two = {"com/example/deep/Outer.run", "com/example/deep/Inner.call"};
  for (size_t columns : {10u, 21u, 40u, 55u}) EXPECT_EQ(columns_of(chain_text(two, columns, true)), columns);
  EXPECT_EQ(chain_text(two, 23, true), "…Outer.run › …nner.call");
  EXPECT_EQ(chain_text({"f", two[1]}, 23, true), "f › …le/deep/Inner.call");
  EXPECT_EQ(chain_text({two[0], "g"}, 23, true), "…ple/deep/Outer.run › g");
  EXPECT_EQ(chain_text({two[0], "x", two[1]}, 30, true), "…uter.run › … 1 … › …nner.call");
  EXPECT_EQ(chain_text({two[0]}, 10, true), "…Outer.run");
  EXPECT_EQ(chain_text(two, 10, false), two[0] + " › " + two[1]);
}

TEST(Columns, TextIsWrappedAtBlanks) {
  EXPECT_EQ(wrapped("one two three", 20, 2), "one two three");
  EXPECT_EQ(wrapped("one two three", 10, 2), "one two\n  three");
  EXPECT_EQ(wrapped("averyverylongword b", 8, 2), "averyverylongword\n  b");
  EXPECT_EQ(wrapped("", 8, 2), "");
}

}  // namespace
}  // namespace hearth::launcher
