#include "capture/labels/thread_labels.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

namespace hearth::capture {
namespace {

const VmLayout kNoVm;
const ThreadAccess kNoAccess;

TEST(ThreadLabels, AreOfTheThreadThatWroteThem) {
  *label_cell() = 7;
  EXPECT_EQ(current_labels(kNoVm, kNoAccess), 7U);
  std::thread([] { EXPECT_EQ(current_labels(kNoVm, kNoAccess), kNoLabels); }).join();
  *label_cell() = kNoLabels;
}

TEST(VirtualLabels, AreFoundByTheThreadsNumber) {
  auto labels = std::make_unique<VirtualLabels>();
  EXPECT_FALSE(labels->any());
  *labels->take_cell(40) = 1;
  *labels->take_cell(40 + VirtualLabels::kMost) = 2;
  *labels->take_cell(41) = 3;
  EXPECT_EQ(labels->of(40), 1U);
  EXPECT_EQ(labels->of(40 + VirtualLabels::kMost), 2U);
  EXPECT_EQ(labels->of(41), 3U);
  EXPECT_EQ(labels->of(42), kNoLabels);
  EXPECT_EQ(labels->of(0), kNoLabels);
  labels->give_back(40);
  EXPECT_EQ(labels->of(40), kNoLabels);
  EXPECT_EQ(labels->of(40 + VirtualLabels::kMost), 2U);
  EXPECT_TRUE(labels->any());
}

TEST(VirtualLabels, AreNoneInACellThatAnotherGaveBack) {
  auto labels = std::make_unique<VirtualLabels>();
  *labels->take_cell(5) = 9;
  labels->give_back(5);
  EXPECT_EQ(*labels->take_cell(5 + VirtualLabels::kMost), kNoLabels);
  labels->give_back(5);
  EXPECT_TRUE(labels->any());
}

TEST(VirtualLabels, AreRefusedIfTheTableIsFull) {
  auto labels = std::make_unique<VirtualLabels>();
  uint64_t thread = 3;
  int taken = 0;
  for (; labels->take_cell(thread) != nullptr; thread += VirtualLabels::kMost) taken++;
  EXPECT_EQ(taken, 16);
  EXPECT_EQ(labels->take_cell(0), nullptr);
  labels->give_back(thread);
  EXPECT_EQ(labels->of(thread), kNoLabels);
}

}  // namespace
}  // namespace hearth::capture
