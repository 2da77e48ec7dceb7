#include "vm/label_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace hearth::vm {
namespace {

using Set = LabelSets::Set;

constexpr LabelSets::Bounds kFew = {2, 3, 4};

TEST(LabelSets, EqualOnesHaveOneNumber) {
  LabelSets labels;
  uint32_t number = labels.number_of({{"endpoint", "/a"}, {"tenant", "x"}});
  EXPECT_NE(number, 0U);
  EXPECT_EQ(labels.number_of({{"tenant", "x"}, {"endpoint", "/a"}}), number);
  EXPECT_NE(labels.number_of({{"endpoint", "/a"}}), number);
  EXPECT_EQ(labels.of(number), (Set{{"endpoint", "/a"}, {"tenant", "x"}}));
  EXPECT_TRUE(labels.notes().empty());
}

TEST(LabelSets, NoLabelsAreNumberZero) {
  LabelSets labels;
  EXPECT_EQ(labels.number_of({}), 0U);
  EXPECT_TRUE(labels.of(0).empty());
  EXPECT_TRUE(labels.of(77).empty());
}

TEST(LabelSets, ReferencesStayValid) {
  LabelSets labels;
  const Set& first = labels.of(labels.number_of({{"k", "first"}}));
  for (int i = 0; i < 900; i++) labels.number_of({{"k", std::to_string(i)}});
  EXPECT_EQ(first.at("k"), "first");
}

TEST(LabelSets, AKeyKeepsItsFirstValues) {
  LabelSets labels(kFew);
  for (const char* value : {"1", "2", "3"}) labels.number_of({{"k", value}});
  uint32_t other = labels.number_of({{"k", "4"}});
  EXPECT_EQ(labels.of(other), (Set{{"k", "(other)"}}));
  EXPECT_EQ(labels.number_of({{"k", "5"}}), other);
  EXPECT_EQ(labels.of(labels.number_of({{"k", "3"}})), (Set{{"k", "3"}}));
  ASSERT_EQ(labels.notes().size(), 1U);
  EXPECT_EQ(labels.notes()[0], "label k keeps its first 3 values; others, seen 2 times so far, are shown as (other)");
}

TEST(LabelSets, CombinationsAreBounded) {
  LabelSets labels(kFew);
  for (const char* value : {"1", "2", "3"}) labels.number_of({{"k", value}});
  labels.number_of({{"l", "1"}});
  uint32_t over = labels.number_of({{"k", "1"}, {"l", "1"}});
  EXPECT_EQ(labels.of(over), (Set{{"k", "(other)"}, {"l", "(other)"}}));
  EXPECT_EQ(labels.of(labels.number_of({{"k", "2"}})), (Set{{"k", "2"}}));
  ASSERT_EQ(labels.notes().size(), 1U);
  EXPECT_EQ(labels.notes()[0],
            "labels keep 4 combinations; in others, seen once so far, each value is shown as (other)");
}

TEST(LabelSets, KeysAreBounded) {
  LabelSets labels(kFew);
  labels.number_of({{"a", "1"}, {"b", "1"}});
  uint32_t over = labels.number_of({{"a", "1"}, {"c", "1"}, {"d", "1"}});
  EXPECT_EQ(labels.of(over), (Set{{"(other)", "(other)"}, {"a", "1"}}));
  ASSERT_EQ(labels.notes().size(), 1U);
  EXPECT_EQ(labels.notes()[0], "labels keep 2 keys; others, seen 2 times so far, are shown as (other)");
}

TEST(LabelSets, NumbersAreBounded) {
  LabelSets labels;
  uint32_t most = 0;
  for (int i = 0; i < 20'000; i++) {
    std::string value = std::to_string(i);
    most = std::max(most, labels.number_of({{"k" + std::to_string(i % 300), value}, {"all", value}}));
  }
  EXPECT_LE(most, LabelSets::kMostNumber);
}

TEST(LabelSets, ThreadsThatAreNotSeenAreReported) {
  LabelSets labels;
  labels.ignore_thread();
  ASSERT_EQ(labels.notes().size(), 1U);
  EXPECT_EQ(labels.notes()[0],
            "labels of 1 virtual threads are not seen: this JVM does not report the running one, or too many have "
            "labels, or ended without closing them, or there are two copies of hearth.jar");
}

}  // namespace
}  // namespace hearth::vm
