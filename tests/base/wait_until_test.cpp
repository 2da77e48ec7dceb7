#include "wait_until.h"

#include <gtest/gtest-spi.h>

namespace hearth {
namespace {

TEST(WaitUntil, ATimeoutFailsByName) {
  EXPECT_NONFATAL_FAILURE(wait_until(
                              "the end of time", [] { return false; }, std::chrono::milliseconds(5)),
                          "the end of time did not come in 5 ms");
  EXPECT_TRUE(wait_until("what is there", [] { return true; }));
}

}  // namespace
}  // namespace hearth
