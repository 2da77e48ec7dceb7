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

}  // namespace
}  // namespace hearth
