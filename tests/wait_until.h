// Waits with a deadline: if the condition never holds, the test fails by name and does not hang.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

namespace hearth {

// Generous: it only ends waits that would never end.
constexpr std::chrono::seconds kPatience{60};

// Polls until the condition holds. False, and a failure of the test that names `what`: it never did.
template <typename Condition>
bool wait_until(const std::string& what, Condition condition, std::chrono::nanoseconds patience = kPatience) {
  auto deadline = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) {
      ADD_FAILURE() << what << " did not come in "
                    << std::chrono::duration_cast<std::chrono::milliseconds>(patience).count() << " ms";
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace hearth
