#include "naming/session_profile.h"

#include <gtest/gtest.h>

#include "events/wall/thread_state.h"
#include "naming/session_quality.h"
#include "options/event_table.h"

namespace hearth::naming {
namespace {

using capture::Frame;
using capture::Marker;
using session::ProfileRange;
using session::SessionSnapshot;
using session::SessionState;

// Samples nothing itself. A real session gets the same data from signal handlers.
class FakeEvent : public events::EventSource {
 public:
  std::string engine() const override { return "fake"; }
  bool follows_threads() const override { return false; }
  void start(const events::EventPlan& plan) override { plan_ = plan; }
  bool attach_thread(capture::ThreadSlot*) override { return true; }
  int64_t detach_thread(capture::ThreadSlot*) override { return 0; }
  int64_t cpu_ns(const capture::ThreadSlot&) const override { return 0; }
  void disable() override {}
  void stop() override {}

 private:
  events::EventPlan plan_;
};

// A session without a JVM.
class FakeSession : public SessionState {
 public:
  FakeSession(vm::Vm* vm, Log* log, const options::Options& options) : SessionState(vm, log, options, {}, [] {}) {
    sources_.start({"cpu", 10'000'000, {[] { return std::make_unique<FakeEvent>(); }}});
  }

  void sample(Marker marker, int64_t weight, uint16_t state = 0) {
    capture::Sample sample{};
    sample.stack = capture_.tree.child(capture::StackTree::kRoot, Frame::marker(marker));
    sample.weight = weight;
    sample.state = state;
    counter_.add_repeated(sample, 1);
  }
  void pause() {
    running_ = true;
    sources_.follow(&capture_.registry, &options_.filter, {});
    sources_.pause("cpu");
  }
  void add_note(const std::string& note) { notes_.add(note); }
};

class SessionProfileTest : public testing::Test {
 protected:
  static options::Options cpu_without_clojure() {
    options::Options options;
    options::set_interval(&options, options::Event::kCpu, 10'000'000);
    options.clojure = false;
    return options;
  }
  // Weight by frame, of stacks with one frame.
  static std::map<std::string, int64_t> weights_of(const profile::Profile& profile) {
    std::map<std::string, int64_t> weights;
    for (size_t i = 0; i < profile.sample_count(); i++) {
      std::string frame(profile.function_name(profile.function_of(profile.sample(i).stack)));
      weights[frame] += profile.values(i)[1];
    }
    return weights;
  }
  profile::Profile profile(const ProfileRange& range = {}) { return profile_of(&session_, nullptr, options_, range); }

  Log log_;
  vm::Vm vm_;
  options::Options options_ = cpu_without_clojure();
  FakeSession session_{&vm_, &log_, options_};
};

using Weights = std::map<std::string, int64_t>;

TEST_F(SessionProfileTest, HasAllSamplesOfTheSession) {
  session_.sample(Marker::kFault, 10);
  session_.sample(Marker::kFault, 5);
  session_.sample(Marker::kThreadExit, 7);
  profile::Profile all = profile();
  EXPECT_EQ(weights_of(all), (Weights{{"[fault]", 15}, {"[thread_exit]", 7}}));
  EXPECT_EQ(all.metadata.event, "cpu");
  EXPECT_EQ(all.metadata.interval, 10'000'000);
  EXPECT_EQ(all.quality.engine, "fake");
}

TEST_F(SessionProfileTest, ARangeBeginsAtItsSnapshot) {
  session_.sample(Marker::kFault, 10);
  ProfileRange range;
  range.since = take_snapshot(&session_);
  session_.sample(Marker::kFault, 5);
  EXPECT_EQ(weights_of(profile(range)), (Weights{{"[fault]", 5}}));
}

TEST_F(SessionProfileTest, NeighbouringRangesHaveEachSampleOnce) {
  SessionSnapshot next;
  ProfileRange range;
  range.next = &next;
  session_.sample(Marker::kFault, 10);
  EXPECT_EQ(weights_of(profile(range)), (Weights{{"[fault]", 10}}));
  session_.sample(Marker::kFault, 5);
  range.since = std::exchange(next, {});
  EXPECT_EQ(weights_of(profile(range)), (Weights{{"[fault]", 5}}));
  range.since = std::exchange(next, {});
  EXPECT_EQ(weights_of(profile(range)), Weights());
}

TEST_F(SessionProfileTest, LeavesOutSamplesOfOtherEvents) {
  session_.sample(Marker::kFault, 10);
  ProfileRange range;
  range.events = {"wall"};
  EXPECT_EQ(weights_of(profile(range)), Weights());
}

TEST_F(SessionProfileTest, TimesOfSamplesAreThereOnRequest) {
  session_.sample(Marker::kFault, 10);
  EXPECT_EQ(profile().metadata.time_step_ns, 0);
  ProfileRange range;
  range.by_time = true;
  EXPECT_GT(profile(range).metadata.time_step_ns, 0);
}

TEST_F(SessionProfileTest, ARecordedCpuIsTheOutermostFrame) {
  options_.record_cpu = true;
  session_.sample(Marker::kFault, 10, events::kOnCpu + 3);
  profile::Profile all = profile();
  ASSERT_EQ(all.sample_count(), 1U);
  profile::NodeId outer = all.nodes()[all.sample(0).stack].parent;
  EXPECT_EQ(all.function_name(all.function_of(outer)), "[CPU-3]");
  EXPECT_EQ(all.nodes()[outer].parent, 0U);
  EXPECT_EQ(weights_of(all), (Weights{{"[fault]", 10}}));
}

TEST_F(SessionProfileTest, QualityHasTheSessionsNotes) {
  session_.add_note("tlab had no breakpoints");
  vm_.interruption_notes = {"no symbols"};
  EXPECT_EQ(quality_of(session_).notes, (std::vector<std::string>{"tlab had no breakpoints", "no symbols"}));
  EXPECT_EQ(quality_of(session_).lost, 0u);
}

TEST_F(SessionProfileTest, OnlyAPausedEventHasAPauseNote) {
  EXPECT_TRUE(pause_notes(session_, {}).empty());
  session_.pause();
  std::vector<std::string> notes = pause_notes(session_, {});
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].rfind("cpu was paused for ", 0), 0u) << notes[0];
  ProfileRange other;
  other.events = {"wall"};
  EXPECT_TRUE(pause_notes(session_, other).empty());
}

}  // namespace
}  // namespace hearth::naming
