#include "base/thread_data.h"

#include <gtest/gtest.h>

namespace hearth {
namespace {

TEST(ThreadData, IsReadyInAProgram) {
  EXPECT_TRUE(is_thread_data_ready());
}

}  // namespace
}  // namespace hearth
