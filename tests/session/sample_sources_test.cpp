#include "session/sample_sources.h"

#include <gtest/gtest.h>

#include <thread>

#include "capture/recorder.h"
#include "fake_source.h"

namespace hearth::session {
namespace {

using Calls = std::vector<std::string>;

class SampleSourcesTest : public testing::Test {
 protected:
  SampleSources::Hooks hooks() {
    auto plan_of = [](size_t number, int64_t interval) {
      events::EventPlan plan;
      plan.event = static_cast<uint16_t>(number);
      plan.interval = interval;
      return plan;
    };
    auto own_thread = [this](int tid, bool begins) { own_threads_.emplace_back(tid, begins); };
    return {plan_of, own_thread, [this] { leaks_++; }};
  }
  void follow() { sources_.follow(&registry_, &filter_, {}); }

  int leaks_ = 0;
  std::vector<std::pair<int, bool>> own_threads_;
  FakeSourceScript cpu_, alloc_;
  SessionNotes notes_;
  events::ThreadRegistry registry_;
  options::ThreadFilter filter_;
  SampleSources sources_{hooks(), &notes_};
};

TEST_F(SampleSourcesTest, NumbersEventsInTheOrderOfTheirStart) {
  EXPECT_TRUE(sources_.start({"cpu", 100, {maker_of(&cpu_)}}).empty());
  EXPECT_TRUE(sources_.start({"alloc", 500, {maker_of(&alloc_)}}).empty());
  EXPECT_EQ(cpu_.calls, Calls{"start 0 100"});
  EXPECT_EQ(alloc_.calls, Calls{"start 1 500"});
  EXPECT_EQ(sources_.engine(), "fake");
}

TEST_F(SampleSourcesTest, TakesTheFirstEngineThatCanRun) {
  FakeSourceScript refused;
  refused.refusal = "not permitted";
  std::vector<std::string> refusals = sources_.start({"cpu", 100, {maker_of(&refused), maker_of(&cpu_)}});
  ASSERT_EQ(refusals.size(), 1u);
  EXPECT_NE(refusals[0].find("not permitted"), std::string::npos);
  ASSERT_EQ(sources_.all().size(), 1u);
  EXPECT_EQ(cpu_.calls, Calls{"start 0 100"});
}

TEST_F(SampleSourcesTest, FailsWhenNoEngineCanRun) {
  cpu_.refusal = "not permitted";
  EXPECT_THROW(sources_.start({"cpu", 100, {maker_of(&cpu_)}}), Error);
  EXPECT_TRUE(sources_.all().empty());
}

TEST_F(SampleSourcesTest, SilencesAllSourcesBeforeItStopsOne) {
  sources_.start({"cpu", 100, {maker_of(&cpu_)}});
  sources_.start({"alloc", 500, {maker_of(&cpu_)}});
  follow();
  sources_.stop();
  EXPECT_EQ(cpu_.calls, (Calls{"start 0 100", "start 1 500", "disable", "disable", "stop", "stop"}));
  EXPECT_EQ(leaks_, 0);
}

TEST_F(SampleSourcesTest, PausesOneEventAndResumesItWithANewSource) {
  sources_.start({"cpu", 100, {maker_of(&cpu_)}});
  sources_.start({"alloc", 500, {maker_of(&alloc_)}});
  follow();
  EXPECT_TRUE(sources_.pause("alloc"));
  EXPECT_FALSE(sources_.pause("alloc"));
  EXPECT_EQ(sources_.paused(), Calls{"alloc"});
  EXPECT_EQ(alloc_.calls, (Calls{"start 1 500", "disable", "stop"}));
  EXPECT_EQ(cpu_.calls, Calls{"start 0 100"});
  EXPECT_TRUE(sources_.resume("alloc"));
  EXPECT_FALSE(sources_.resume("alloc"));
  EXPECT_TRUE(sources_.paused().empty());
  EXPECT_EQ(alloc_.calls.back(), "start 1 500");
  sources_.stop();
}

TEST_F(SampleSourcesTest, SumsUpPausesByEvent) {
  sources_.start({"cpu", 100, {maker_of(&cpu_)}});
  sources_.start({"alloc", 500, {maker_of(&alloc_)}});
  follow();
  sources_.pause("cpu");
  uint64_t paused_at = sources_.all()[0].paused_at_ns;
  EXPECT_EQ(sources_.paused_ns(paused_at + 7), (std::vector<int64_t>{7, 0}));
  sources_.resume("cpu");
  int64_t first = sources_.paused_ns(capture::now_ns())[0];
  EXPECT_GE(first, 0);
  EXPECT_EQ(sources_.paused_ns(capture::now_ns() + 1000)[0], first);
}

TEST_F(SampleSourcesTest, StopLeavesAPausedSourceAlone) {
  sources_.start({"cpu", 100, {maker_of(&cpu_)}});
  follow();
  sources_.pause("cpu");
  sources_.stop();
  EXPECT_EQ(cpu_.calls, (Calls{"start 0 100", "disable", "stop"}));
}

TEST_F(SampleSourcesTest, RefusesAnEventThatTheSessionDoesNotSample) {
  sources_.start({"cpu", 100, {maker_of(&cpu_)}});
  EXPECT_THROW(sources_.is_paused("wall"), Error);
  EXPECT_THROW(sources_.pause("wall"), Error);
}

TEST_F(SampleSourcesTest, TheWorkerGoesOnWhileCallsAreCounted) {
  bool worked = false;
  cpu_.on_call_counts = [&] {
    std::thread([&] {
      sources_.visit_running([](events::EventSource* source) { source->libraries_changed(); });
      worked = sources_.lock_pauses().owns_lock();
    }).join();
  };
  sources_.start({"cpu", 100, {maker_of(&cpu_)}});
  sources_.call_counts();
  EXPECT_TRUE(worked);
}

TEST_F(SampleSourcesTest, KeepsTheTroubleAndTheCpuTimeOfAReplacedSource) {
  cpu_.trouble = "no room for an event";
  cpu_.own_cpu_ns = 30;
  sources_.start({"cpu", 100, {maker_of(&cpu_)}});
  follow();
  sources_.pause("cpu");
  sources_.resume("cpu");
  sources_.pause("cpu");
  EXPECT_EQ(notes_.all(), Calls{"no room for an event"});
  EXPECT_EQ(sources_.own_cpu_ns(), 60);
}

TEST_F(SampleSourcesTest, AnnouncesTheOwnThreadsOfSources) {
  cpu_.own_tid = 4711;
  sources_.start({"cpu", 100, {maker_of(&cpu_)}});
  follow();
  sources_.pause("cpu");
  sources_.resume("cpu");
  sources_.stop();
  EXPECT_EQ(own_threads_,
            (std::vector<std::pair<int, bool>>{{4711, true}, {4711, false}, {4711, true}, {4711, false}}));
}

TEST_F(SampleSourcesTest, LeaksTheSessionWhenAThreadIsSuspendedInAHandler) {
  cpu_.is_quiescent = false;
  sources_.start({"cpu", 100, {maker_of(&cpu_)}});
  follow();
  sources_.pause("cpu");
  EXPECT_EQ(leaks_, 1);
  sources_.resume("cpu");
  sources_.stop();
  EXPECT_EQ(leaks_, 2);
}

TEST_F(SampleSourcesTest, ResumesNoBreakpointsAfterTheyAreForbidden) {
  alloc_.engine = events::kTlabEngine;
  sources_.start({"alloc", 500, {maker_of(&alloc_)}});
  follow();
  sources_.pause("alloc");
  sources_.forbid_breakpoints();
  EXPECT_THROW(sources_.resume("alloc"), Error);
  EXPECT_EQ(sources_.paused(), Calls{"alloc"});
}

}  // namespace
}  // namespace hearth::session
