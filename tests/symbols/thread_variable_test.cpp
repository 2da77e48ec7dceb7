#include "symbols/elf/thread_variable.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <thread>

namespace hearth::symbols {
namespace {

TEST(ThreadVariable, HasItsPlaceInEachThread) {
  std::optional<capture::ThreadVariable> place = find_thread_variable("errno");  // of the C library
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(capture::address_of(*place), reinterpret_cast<uintptr_t>(&errno));
  std::thread([&] { EXPECT_EQ(capture::address_of(*place), reinterpret_cast<uintptr_t>(&errno)); }).join();
}

TEST(ThreadVariable, IsNotThereUnderAnotherName) {
  EXPECT_FALSE(find_thread_variable("no_library_has_this").has_value());
}

}  // namespace
}  // namespace hearth::symbols
