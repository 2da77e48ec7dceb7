#include "base/bounded_thread.h"

#include <gtest/gtest.h>

#include <csignal>

#include "wait_until.h"

namespace hearth {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kPatience(200);

TEST(BoundedThread, IsJoined) {
  std::atomic<bool> vm_ends{false}, ran{false};
  BoundedThread thread;
  EXPECT_TRUE(thread.join(vm_ends, kPatience)) << "none was started";
  for (int i = 0; i < 2; i++) {
    ran = false;
    thread.start([&] { ran = true; });
    EXPECT_TRUE(thread.join(vm_ends, kPatience));
    EXPECT_TRUE(ran);
    EXPECT_TRUE(thread.join(vm_ends, kPatience)) << "it was joined";
  }
}

TEST(BoundedThread, IsWaitedForWhileTheJvmRuns) {
  std::atomic<bool> vm_ends{false}, ends{false};
  BoundedThread thread;
  thread.start([&] {
    std::this_thread::sleep_for(2 * kPatience);
    ends = true;
  });
  EXPECT_TRUE(thread.join(vm_ends, kPatience));
  EXPECT_TRUE(ends);
}

TEST(BoundedThread, IsLeftBehindWhenTheJvmEnds) {
  std::atomic<bool> vm_ends{true};
  auto goes_on = std::make_shared<std::atomic<bool>>(true);
  auto has_ended = std::make_shared<std::atomic<bool>>(false);
  auto began = steady_clock::now();
  {
    BoundedThread thread;
    thread.start([goes_on, has_ended] {
      while (*goes_on) std::this_thread::sleep_for(milliseconds(1));
      *has_ended = true;
    });
    EXPECT_FALSE(thread.join(vm_ends, kPatience));
    EXPECT_GE(steady_clock::now() - began, kPatience);
    EXPECT_TRUE(thread.join(vm_ends, kPatience)) << "there is none any more";
  }
  *goes_on = false;
  EXPECT_TRUE(wait_until("the thread that was left behind", [&] { return has_ended->load(); }));
}

TEST(BoundedThread, TakesNoSignals) {
  std::atomic<bool> vm_ends{false};
  sigset_t mask{};
  BoundedThread thread;
  thread.start([&] { pthread_sigmask(SIG_SETMASK, nullptr, &mask); });
  EXPECT_TRUE(thread.join(vm_ends, kPatience));
  EXPECT_EQ(sigismember(&mask, SIGTERM), 1);
  EXPECT_EQ(sigismember(&mask, SIGSEGV), 0);
}

}  // namespace
}  // namespace hearth
