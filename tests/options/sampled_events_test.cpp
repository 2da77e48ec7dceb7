#include "options/sampled_events.h"

#include <gtest/gtest.h>

namespace hearth::options {
namespace {

using Names = std::vector<std::string>;

Options options(const char* text) {
  return parse_options(text);
}

const char* const kStore = "start,store=DIR";

TEST(SampledEvents, OfAStoreAreThree) {
  EXPECT_EQ(event_names(options(kStore)), (Names{"cpu", "wall", "alloc"}));
  EXPECT_FALSE(samples_nothing(options(kStore)));
}

TEST(SampledEvents, EventsOfAnotherSessionAreLeftToIt) {
  auto left = [](const char* other) { return event_names(without_events_of(options(kStore), options(other))); };
  EXPECT_EQ(left("start"), (Names{"wall", "alloc"}));
  EXPECT_EQ(left("start,alloc,live"), (Names{"cpu", "wall"}));
  EXPECT_EQ(left("start,lock"), (Names{"cpu", "wall", "alloc"}));
  EXPECT_EQ(left("start,event=cpu,wall=1ms,alloc=1k"), Names());
  EXPECT_EQ(left("start,event=itimer"), Names{"alloc"});  // wall needs its signal
  EXPECT_EQ(event_names(without_events_of(options("start,event=itimer"), options("start,event=wall"))), Names());
  EXPECT_EQ(event_names(without_events_of(options("start,event=itimer,wall"), options("start,event=itimer"))), Names());
}

TEST(SampledEvents, OfTwo) {
  EXPECT_EQ(common_events(options(kStore), options("start,event=cpu,lock")), Names{"cpu"});
  EXPECT_STREQ(common_event(options("start,event=itimer"), options("start,event=wall")), "itimer");
  EXPECT_EQ(common_event(options("start"), options("start,lock")), nullptr);
  EXPECT_STREQ(missing_event(options("start,alloc"), options("start,alloc,live")), "live");
}

TEST(SampledEvents, OfAPartOfTheThreadsOrTheTimeAreNotAll) {
  EXPECT_TRUE(samples_all(options("start")));
  EXPECT_FALSE(samples_all(options("start,filter=main")));
  EXPECT_FALSE(samples_all(options("start,begin=JVM_GC")));
}

TEST(SampledEvents, ClocksServeManyAndHooksOne) {
  auto contended = [](const char* one, const char* other) { return contended_event(options(one), options(other)); };
  EXPECT_EQ(contended("start,event=cpu,wall", "start,event=ctimer,wall=1ms,alloc"), nullptr);
  EXPECT_STREQ(contended("start,alloc", "start,event=cpu,live"), "alloc");
  EXPECT_STREQ(contended("start,lock", "start,lock=1ms"), "lock");
  EXPECT_STREQ(contended("start,event=itimer", "start"), "itimer");
  EXPECT_STREQ(contended("start,wall", "start,event=itimer"), "itimer");
  EXPECT_EQ(contended("start,event=itimer", "start,alloc"), nullptr);
}

TEST(SampledEvents, AShorterIntervalSuffices) {
  EXPECT_TRUE(is_as_fine(options("start,interval=1ms"), options("start")));
  EXPECT_FALSE(is_as_fine(options("start,interval=1s"), options("start")));
  EXPECT_FALSE(is_as_fine(options("start,wall=1s"), options("start,wall")));
  EXPECT_TRUE(is_as_fine(options("start,event=cpu,interval=1s,wall=1ms"), options("start,wall")));
}

TEST(SampledEvents, ClocksStayNextToUnsharedEvents) {
  auto left = [](const char* other) { return event_names(without_contended_events(options(kStore), options(other))); };
  EXPECT_EQ(left("start,event=cpu,wall,filter=main"), (Names{"cpu", "wall", "alloc"}));
  EXPECT_EQ(left("start,event=cpu,alloc,filter=main"), (Names{"cpu", "wall"}));
  EXPECT_EQ(left("start,event=itimer,filter=main"), Names{"alloc"});
}

TEST(SampledEvents, EachCanBeLeftOut) {
  Options all = parse_options("start,event=cpu,wall,alloc,live,lock");
  EXPECT_EQ(event_names(without_event(all, "cpu")), (std::vector<std::string>{"wall", "alloc", "lock"}));
  EXPECT_EQ(event_names(without_event(all, "wall")), (std::vector<std::string>{"cpu", "alloc", "lock"}));
  EXPECT_EQ(event_names(without_event(all, "lock")), (std::vector<std::string>{"cpu", "wall", "alloc"}));
  EXPECT_FALSE(without_event(all, "alloc").live);
}

}  // namespace
}  // namespace hearth::options
