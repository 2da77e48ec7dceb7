#include "symbols/jvm/vm_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/owned.h"

namespace hearth::symbols {
namespace {

constexpr size_t kPage = 4096;

TEST(VmMemory, ReadsMappedMemory) {
  std::vector<uint32_t> numbers(100'000);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::vector<uint32_t> read(numbers.size() - 1);
  size_t bytes = read.size() * sizeof(uint32_t);
  EXPECT_EQ(read_own_memory(read.data(), reinterpret_cast<uintptr_t>(&numbers[1]), bytes), bytes);
  EXPECT_TRUE(std::equal(read.begin(), read.end(), numbers.begin() + 1));
}

TEST(VmMemory, ReadsUpToUnmappedMemory) {
  Mapping two = Mapping::reserved(2 * kPage);
  auto begin = reinterpret_cast<uintptr_t>(two.as<char>());
  two.as<char>()[kPage - 1] = 7;
  ASSERT_EQ(::mprotect(two.as<char>() + kPage, kPage, PROT_NONE), 0);
  char bytes[8] = {};
  EXPECT_EQ(read_own_memory(bytes, begin + kPage - 4, sizeof bytes), 4u);
  EXPECT_EQ(bytes[3], 7);
  EXPECT_FALSE(read_checked(begin + kPage - 4, bytes, sizeof bytes));
  EXPECT_EQ(read_checked(begin + kPage), 0u);
  EXPECT_EQ(read_own_memory(bytes, 0, sizeof bytes), 0u);
}

}  // namespace
}  // namespace hearth::symbols
