#include "events/threads/sigtrap_blocked_threads.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <thread>

#include "base/error.h"
#include "base/formatted.h"
#include "events/handlers/current_tid.h"
#include "events/window_breakpoints.h"

namespace hearth::events {
namespace {

class Blocker {
 public:
  explicit Blocker(bool traps) {
    thread_ = std::thread([this, traps] {
      sigset_t blocked;
      sigfillset(&blocked);
      if (!traps) sigdelset(&blocked, SIGTRAP);
      pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
      pthread_setname_np(pthread_self(), "deaf");
      tid_ = current_tid();
      while (!ends_) std::this_thread::yield();
    });
    while (tid_ == 0) std::this_thread::yield();
  }
  ~Blocker() {
    ends_ = true;
    thread_.join();
  }
  std::string name() const { return formatted("thread 'deaf' ({})", tid_.load()); }

 private:
  std::atomic<int> tid_{0};
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

TEST(SigtrapBlockedThreads, AreFoundWhileTheyLive) {
  EXPECT_EQ(thread_that_blocks_sigtrap(), "");
  {
    Blocker blocker(true);
    EXPECT_EQ(thread_that_blocks_sigtrap(), blocker.name());
  }
  EXPECT_EQ(thread_that_blocks_sigtrap(), "");
}

TEST(SigtrapBlockedThreads, OtherSignalsMayBeBlocked) {
  Blocker blocker(false);
  EXPECT_EQ(thread_that_blocks_sigtrap(), "");
}

TEST(SigtrapBlockedThreads, AThreadOfTheCLibraryIsNone) {
  EXPECT_TRUE(blocks_sigtrap(0xfffffffe7ffbfeff));
  EXPECT_FALSE(blocks_sigtrap(0xfffffffffffbfeff));
  EXPECT_FALSE(blocks_sigtrap(0x6e7));
  EXPECT_FALSE(blocks_sigtrap(0));
}

TEST(SigtrapBlockedThreads, BreakpointsAreRefused) {
  Blocker blocker(true);
  WindowBreakpoints breakpoints;
  try {
    breakpoints.start({{reinterpret_cast<uintptr_t>(&std::strlen), "strlen"}}, {}, capture::Outside::kLeftOut);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::strstr(error.what(), (blocker.name() + " blocks SIGTRAP").c_str()), nullptr) << error.what();
  }
}

}  // namespace
}  // namespace hearth::events
