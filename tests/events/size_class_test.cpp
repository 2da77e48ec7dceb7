#include "events/alloc/size_class.h"

#include <gtest/gtest.h>

namespace hearth::events {
namespace {

TEST(SizeClass, HoldsSizesThatDifferByLessThanAQuarter) {
  for (int64_t size : {int64_t{16}, int64_t{24}, int64_t{40}, int64_t{1040}, int64_t{1'600'016}, INT64_MAX}) {
    int64_t least = least_size(size_class(size));
    EXPECT_LE(least, size);
    EXPECT_LT(static_cast<double>(size), 1.25 * static_cast<double>(least) + 1) << size;
    EXPECT_EQ(size_class(least), size_class(size));
  }
  EXPECT_EQ(least_size(size_class(24)), 24);
  EXPECT_EQ(least_size(size_class(1040)), 1024);
}

TEST(SizeClass, GrowsWithTheSize) {
  for (int64_t size = 4; size < 5000; size++) {
    EXPECT_LE(size_class(size), size_class(size + 1));
    EXPECT_LE(size_class(size + 1), size_class(size) + 1);
  }
}

TEST(SizeClass, OfNoSizeIsNone) {
  EXPECT_EQ(size_class(0), 0);
  EXPECT_EQ(size_class(-8), 0);
  EXPECT_EQ(least_size(0), 0);
}

}  // namespace
}  // namespace hearth::events
