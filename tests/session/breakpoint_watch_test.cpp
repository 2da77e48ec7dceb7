#include "session/breakpoint_watch.h"

#include <gtest/gtest.h>

#include "fake_source.h"

namespace hearth::session {
namespace {

constexpr uint64_t kBegan = 1'000'000'000;
constexpr uint64_t kNow = 3'500'000'000;

class BreakpointWatchTest : public testing::Test {
 protected:
  void start_tlab() {
    script_.engine = events::kTlabEngine;
    script_.breakpoints = 2;
    sources_.start({"alloc", 500, {maker_of(&script_)}});
    sources_.follow(&registry_, &filter_, {});
  }
  uint64_t check(bool in_window) {
    auto remove = [&] { return std::exchange(window_breakpoints_, false); };
    auto blocking_thread = [&] {
      looked_++;
      return blocker_;
    };
    return BreakpointWatch({in_window, remove, blocking_thread}, &sources_, &notes_).check(kNow, kBegan);
  }

  bool window_breakpoints_ = true;
  int looked_ = 0;
  std::string blocker_;
  FakeSourceScript script_;
  SessionNotes notes_;
  events::ThreadRegistry registry_;
  options::ThreadFilter filter_;
  SampleSources sources_{{[](size_t, int64_t) { return events::EventPlan(); }, {}, [] {}}, &notes_};
};

TEST_F(BreakpointWatchTest, ASessionWithoutBreakpointsIsNotChecked) {
  EXPECT_EQ(check(false), UINT64_MAX);
  EXPECT_EQ(looked_, 0);
}

TEST_F(BreakpointWatchTest, ChecksAgainAsLongAsNoThreadBlocksTheSignal) {
  uint64_t next = check(true);
  EXPECT_GE(next, kNow + 40'000'000);
  EXPECT_LT(next, UINT64_MAX);
  EXPECT_EQ(looked_, 1);
  EXPECT_TRUE(window_breakpoints_);
  EXPECT_TRUE(notes_.all().empty());
}

TEST_F(BreakpointWatchTest, RemovesAllBreakpointsForAThreadThatBlocksTheSignal) {
  start_tlab();
  blocker_ = "thread 'main' (7)";
  EXPECT_EQ(check(true), UINT64_MAX);
  EXPECT_FALSE(window_breakpoints_);
  EXPECT_EQ(script_.breakpoints, 0);
  EXPECT_EQ(notes_.all(), std::vector<std::string>{"begin and end and tlab had no breakpoints any more after 2.5 s: "
                                                   "thread 'main' (7) blocks SIGTRAP, so one would end the JVM"});
  sources_.pause("alloc");
  EXPECT_THROW(sources_.resume("alloc"), Error);
}

TEST_F(BreakpointWatchTest, ChecksAgainWhileTheSourceWithBreakpointsIsPaused) {
  start_tlab();
  sources_.pause("alloc");
  script_.breakpoints = 0;
  window_breakpoints_ = false;
  blocker_ = "thread 'main' (7)";
  EXPECT_LT(check(false), UINT64_MAX);
  EXPECT_TRUE(notes_.all().empty());
}

}  // namespace
}  // namespace hearth::session
