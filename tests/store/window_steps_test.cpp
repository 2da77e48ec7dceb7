#include "store/window_steps.h"

#include <gtest/gtest.h>

namespace hearth::store {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr int64_t kBegin = 1'795'420'800'000 * kMs;
constexpr int64_t kMost = 4096;

StoredWindow window(int64_t begin_ms, int64_t length_ms, Level level = Level::kWindow) {
  return {level, kBegin + begin_ms * kMs, length_ms * kMs, 1, "", 0};
}

std::vector<profile::TimeStep> places(const std::vector<StoredWindow>& windows) {
  WindowSteps steps = steps_of(windows, kMost);
  std::vector<profile::TimeStep> places;
  for (const StoredWindow& one : windows) places.push_back(steps.of(one));
  return places;
}

using Places = std::vector<profile::TimeStep>;

TEST(WindowSteps, WindowsOfUnequalLengthHaveAStepEach) {
  std::vector<StoredWindow> windows = {window(8, 5003), window(5008, 4998), window(10'006, 5001)};
  EXPECT_EQ(places(windows), (Places{0, 1, 2}));
  EXPECT_NEAR(static_cast<double>(steps_of(windows, kMost).length_ns) / kMs, 5000, 2);
}

TEST(WindowSteps, ManyWindowsDoNotDrift) {
  std::vector<StoredWindow> windows;
  for (int64_t i = 0; i < 4000; i++) windows.push_back(window(5000 * i + 3 + i * 7 % 11, 5005));
  std::vector<profile::TimeStep> found = places(windows);
  for (size_t i = 0; i < found.size(); i++) ASSERT_EQ(found[i], i);
}

TEST(WindowSteps, PartsOfAWindowShareItsStep) {
  // Begun within a window, and one that was ended early.
  EXPECT_EQ(places({window(3000, 2000), window(5000, 5000), window(10'000, 5000), window(15'000, 2000),
                    window(17'000, 3000), window(20'000, 5000)}),
            (Places{0, 1, 2, 3, 3, 4}));
}

TEST(WindowSteps, AGapIsAsLongAsItWas) {
  EXPECT_EQ(places({window(0, 1000), window(1000, 1000), window(60'000, 1000)}), (Places{0, 1, 60}));
}

TEST(WindowSteps, OneWindowOrAnHourAmongThemIsTheStep) {
  EXPECT_EQ(steps_of({window(0, 60'000)}, kMost).length_ns, 60'000 * kMs);
  std::vector<StoredWindow> mixed = {window(0, 3'600'000, Level::kHour), window(3'600'008, 60'000),
                                     window(3'660'004, 60'000)};
  EXPECT_EQ(steps_of(mixed, kMost).length_ns, 3'600'000 * kMs);
  EXPECT_EQ(places(mixed), (Places{0, 1, 1}));
}

TEST(WindowSteps, ThereAreNoMoreThanAsked) {
  std::vector<StoredWindow> windows = {window(0, 1000), window(1000, 1000), window(100'000'000, 1000)};
  WindowSteps steps = steps_of(windows, 100);
  EXPECT_LE(steps.of(windows.back()), 100u);
}

}  // namespace
}  // namespace hearth::store
