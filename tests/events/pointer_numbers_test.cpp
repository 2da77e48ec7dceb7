#include "events/handlers/pointer_numbers.h"

#include <gtest/gtest.h>

namespace hearth::events {
namespace {

TEST(PointerNumbers, EqualPointersHaveOneNumber) {
  PointerNumbers numbers;
  uint16_t first = numbers.number_of(0x1000), second = numbers.number_of(0x2000);
  EXPECT_NE(first, PointerNumbers::kNone);
  EXPECT_NE(first, second);
  EXPECT_EQ(numbers.number_of(0x1000), first);
  EXPECT_EQ(numbers.of(second), 0x2000U);
}

TEST(PointerNumbers, NothingHasNone) {
  PointerNumbers numbers;
  EXPECT_EQ(numbers.number_of(0), PointerNumbers::kNone);
  EXPECT_EQ(numbers.of(PointerNumbers::kNone), 0U);
  EXPECT_EQ(numbers.of(UINT16_MAX), 0U);
}

TEST(PointerNumbers, BeyondTheMostThereIsNone) {
  PointerNumbers numbers;
  for (uintptr_t i = 1; i <= PointerNumbers::kMost; i++) EXPECT_EQ(numbers.number_of(16 * i), i);
  EXPECT_EQ(numbers.number_of(7), PointerNumbers::kNone);
  EXPECT_EQ(numbers.number_of(16), 1);
}

}  // namespace
}  // namespace hearth::events
