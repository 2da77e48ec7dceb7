// Stores for tests, with windows of CPU, wall, allocations and locks.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "profile/model/profile.h"

namespace hearth::push {

inline constexpr int64_t kSecond = 1'000'000'000;
inline constexpr int64_t kMinute = 60 * kSecond;
inline constexpr int64_t kBegin = 1'795'420'800 * kSecond;  // 2026-11-23 08:00 UTC

// `minute` is when it began, and its only CPU time.
profile::Profile cpu_window(int64_t minute);
// Of all events that a store has by itself.
profile::Profile full_window(int64_t minute);
// A sample each.
profile::Profile window_of_spans(int64_t minute, uint64_t spans);

// A store of its own for each test, gone after it.
class WithStore : public testing::Test {
 protected:
  WithStore();
  ~WithStore() override;
  // Returns the name of its file.
  std::string write(const profile::Profile& window);

  const std::string store_;
};

}  // namespace hearth::push
