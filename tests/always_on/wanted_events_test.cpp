#include "always_on/wanted_events.h"

#include <gtest/gtest.h>

#include "capture/recorder.h"
#include "options/event_table.h"
#include "options/sampled_events.h"

namespace hearth::always_on {
namespace {

using options::Event;

using Names = std::vector<std::string>;

constexpr uint64_t kMinuteNs = 60'000'000'000;

options::Options store_of(const std::string& events) {
  return options::parse_options("start,store=/tmp/s,event=" + events);
}

options::Options session_of(const std::string& command) {
  return options::parse_options("start," + command);
}

Names rest_of(const Share& share) {
  return options::event_names(share.rest);
}

TEST(WantedEvents, AreBorrowedFromASessionOfAllThreads) {
  options::Options store = store_of("cpu,wall,alloc");
  Share share = share_of(store, store, session_of("event=alloc"));
  EXPECT_EQ(share.lent, Names({"alloc"}));
  EXPECT_EQ(rest_of(share), Names({"cpu", "wall"}));
  EXPECT_FALSE(share.keeps_some);
}

TEST(WantedEvents, OfTwoSessionsTheFirstLends) {
  options::Options store = store_of("cpu,alloc");
  Share first = share_of(store, store, session_of("event=cpu"));
  Share second = share_of(first.rest, store, session_of("event=cpu,alloc"));
  EXPECT_EQ(first.lent, Names({"cpu"}));
  EXPECT_EQ(second.lent, Names({"alloc"}));
  EXPECT_TRUE(options::samples_nothing(second.rest));
}

TEST(WantedEvents, AreNotBorrowedFromASessionOfSomeThreads) {
  options::Options store = store_of("cpu,alloc");
  Share clock = share_of(store, store, session_of("event=cpu,filter=main"));
  EXPECT_TRUE(clock.lent.empty());
  EXPECT_EQ(rest_of(clock), Names({"cpu", "alloc"})) << "both sample the clock";
  EXPECT_FALSE(clock.keeps_some);
  Share hook = share_of(store, store, session_of("event=alloc,filter=main"));
  EXPECT_TRUE(hook.lent.empty());
  EXPECT_EQ(rest_of(hook), Names({"cpu"}));
  EXPECT_TRUE(hook.keeps_some);
}

TEST(WantedEvents, AreNotSampledDuringBreakpoints) {
  options::Options store = store_of("cpu,alloc");
  Share share = share_of(store, store, session_of("event=wall,begin=f,end=g"));
  EXPECT_TRUE(share.lent.empty());
  EXPECT_TRUE(options::samples_nothing(share.rest));
  EXPECT_TRUE(share.keeps_some);
}

TEST(WantedEvents, OfASessionThatResumesAreLentUnlessAnotherLendsThem) {
  options::Options store = store_of("cpu,wall,alloc");
  EXPECT_EQ(lent_after_resume(store, session_of("event=alloc"), {"cpu"}, {}), Names({"cpu", "alloc"}));
  EXPECT_EQ(lent_after_resume(store, session_of("event=cpu"), {"alloc"}, {"wall"}), Names({"cpu", "alloc"}))
      << "in the store's order";
  EXPECT_EQ(lent_after_resume(store, session_of("event=cpu"), {}, {"cpu"}), Names());
  EXPECT_EQ(lent_after_resume(store, session_of("event=lock"), {}, {}), Names());
}

TEST(WantedEvents, AreInTheWayOfAStartThatNeedsThem) {
  options::Options own = store_of("cpu,alloc");
  EXPECT_TRUE(is_in_the_way(own, session_of("event=alloc")));
  EXPECT_TRUE(is_in_the_way(own, session_of("event=cpu")));
  EXPECT_TRUE(is_in_the_way(own, session_of("event=wall,begin=f,end=g")));
  EXPECT_TRUE(is_in_the_way(own, session_of("event=alloc,filter=main")));
  EXPECT_FALSE(is_in_the_way(own, session_of("event=wall")));
  EXPECT_FALSE(is_in_the_way(own, session_of("event=cpu,filter=main")));
}

TEST(WantedEvents, GetLongerIntervals) {
  options::Options store = store_of("cpu,wall,alloc");
  options::Options slow = options::with_longer_intervals(store, 4);
  for (Event event : {Event::kCpu, Event::kWall, Event::kAlloc})
    EXPECT_EQ(interval_of(slow, event), 4 * *interval_of(store, event));
  EXPECT_EQ(interval_of(options::with_longer_intervals(store, 1 << 20), Event::kAlloc), 1 << 30);
}

TEST(OwnSession, IsReplacedWhenItHasGrown) {
  constexpr uint32_t kSpans = capture::SpanTable::kMost;
  EXPECT_FALSE(has_grown({kMinuteNs - 1, kSpans, 1 << 30}, true)) << "a start has its cost";
  EXPECT_FALSE(has_grown({kMinuteNs, 0, 24 << 20}, true));
  EXPECT_TRUE(has_grown({kMinuteNs, 0, (24 << 20) + 1}, false));
  EXPECT_TRUE(has_grown({60 * kMinuteNs, 0, 0}, false));
  EXPECT_FALSE(has_grown({kMinuteNs, kSpans / 2, 0}, false));
  EXPECT_TRUE(has_grown({kMinuteNs, kSpans / 2, 0}, true));
  EXPECT_TRUE(has_grown({kMinuteNs, kSpans, 0}, false));
}

}  // namespace
}  // namespace hearth::always_on
