#include "capture/store/signal_index.h"

#include <gtest/gtest.h>

#include <vector>

namespace hearth::capture {
namespace {

uint32_t hash_of(uint32_t value) {
  return value * 0x9e3779b1U;
}

class SignalIndexTest : public testing::Test {
 protected:
  auto is(uint32_t value) {
    return [this, value](uint32_t id) { return values_[id] == value; };
  }
  uint32_t find(uint32_t value) { return index_.find(hash_of(value), is(value)); }
  uint32_t keep(uint32_t value) {
    values_.push_back(value);
    return index_.insert(hash_of(value), static_cast<uint32_t>(values_.size() - 1), is(value));
  }
  template <typename Before>
  void grow(const Before& before) {
    index_.grow(static_cast<uint32_t>(values_.size()), [&](const auto& enter) {
      before();
      for (uint32_t id = 1; id < values_.size(); id++) enter(hash_of(values_[id]), id, is(values_[id]));
    });
  }

  std::vector<uint32_t> values_{0};  // by id
  SignalIndex index_;
};

TEST_F(SignalIndexTest, AValueIsKeptOnce) {
  EXPECT_EQ(find(7), 0u);
  EXPECT_EQ(keep(7), 1u);
  EXPECT_EQ(find(7), 1u);
  EXPECT_EQ(keep(7), 1u);
}

TEST_F(SignalIndexTest, FindsAllAfterOneGrowHoweverCrowdedItWas) {
  constexpr uint32_t kMany = 200'000;
  for (uint32_t value = 1; value <= kMany; value++) keep(value);
  grow([] {});
  for (uint32_t value = 1; value <= kMany; value++) ASSERT_NE(find(value), 0u) << value;
}

TEST_F(SignalIndexTest, InsertionsDuringGrowthAreFound) {
  constexpr uint32_t kMany = 20'000;
  for (uint32_t value = 1; value <= kMany; value++) keep(value);
  grow([this] {
    keep(kMany + 1);
    EXPECT_NE(find(kMany + 1), 0u);
    EXPECT_NE(find(1), 0u);
  });
  EXPECT_NE(find(kMany + 1), 0u);
  EXPECT_NE(find(1), 0u);
}

}  // namespace
}  // namespace hearth::capture
