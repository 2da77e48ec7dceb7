// Counters and probes as events: their names, their intervals, and lists of them.
#include "options/events/counter_names.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "base/formatted.h"
#include "options/asprof/asprof_command.h"
#include "options/event_table.h"
#include "options/refusal.h"
#include "options/sampled_events.h"

namespace hearth::options {
namespace {

// "cycles@1000000 sched:sched_switch@10"
std::string counters_of(const Options& options) {
  std::string text;
  for (const CounterEvent& counter : options.counters)
    text += formatted("{}{}@{}", text.empty() ? "" : " ", counter.name, counter.interval);
  return text;
}

std::string counters_of(std::string_view text) {
  return counters_of(parse_options(text));
}

TEST(CounterNames, AreKnownByTheirShape) {
  for (const char* name : {"cycles", "LLC-load-misses", "cpu-migrations", "r1a8", "cpu/event=0x3c,umask=1/", "msr/tsc/",
                           "sched:sched_switch", "kprobe:do_exit", "kretprobe:vfs_read+0x10", "uprobe:libc.so.6:write",
                           "uretprobe:/lib/x.so+0x100", "mem:0x7f00/8:w", "mem:counter"})
    EXPECT_TRUE(is_counter_name(name)) << name;
  for (const char* name : {"cpu", "wall", "page-faults", "malloc", "A::b", "java.util.Map.get", "my.ns/f", "r", "rx",
                           ":x", "x:", "kprobe:", "/x/", "cpu//", ""})
    EXPECT_FALSE(is_counter_name(name)) << name;
  for (const char* name : {"malloc", "G1CollectedHeap::collect", "_Z3foov", "Unsafe_Park"})
    EXPECT_TRUE(is_function_name(name)) << name;
  for (const char* name : {"java.util.Map.get", "my.ns/f", "*", "7up", "a=b", ""}) EXPECT_FALSE(is_function_name(name));
}

TEST(CounterNames, AreApartFromEvents) {
  std::set<std::string_view> names;
  for (const EventRow& row : event_rows()) names.insert(row.name);
  for (const CounterRow& row : kCounterRows) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_GE(row.usual, least_interval(row.name)) << row.name;
    EXPECT_EQ(profile::kind_of_value(row.name), nullptr) << "its value in a profile has its own name";
  }
}

TEST(CounterNames, SeveralRunAtOnceEachAtItsInterval) {
  EXPECT_EQ(counters_of("start,event=cycles"), "cycles@1000000");
  EXPECT_EQ(counters_of("start,event=cycles,interval=2m"), "cycles@2000000");
  EXPECT_EQ(counters_of("start,event=cycles@3k"), "cycles@3000");
  EXPECT_EQ(counters_of("start,event=cycles,instructions@5m,r3c,sched:sched_switch@100"),
            "cycles@1000000 instructions@5000000 r3c@1000 sched:sched_switch@100");
}

TEST(CounterNames, AListMayHoldEventsOfAnyKind) {
  Options options = parse_options("start,event=cpu@1ms,cycles@1m,page-faults@10,alloc@1m,sched:sched_switch,kprobe:x");
  EXPECT_EQ(interval_of(options, Event::kCpu), 1'000'000);
  EXPECT_EQ(interval_of(options, Event::kPageFaults), 10);
  EXPECT_EQ(interval_of(options, Event::kAlloc), 1 << 20);
  EXPECT_EQ(counters_of(options), "cycles@1000000 sched:sched_switch@10 kprobe:x@10");
  EXPECT_EQ(event_names(options),
            (std::vector<std::string>{"cpu", "page-faults", "alloc", "cycles", "sched:sched_switch", "kprobe:x"}));
  EXPECT_EQ(options.write.event, "cpu");
}

TEST(CounterNames, CommasBetweenSlashesAreOfTheCounter) {
  Options options = options_of({{"start"}, {"event", "cpu/event=0x3c,umask=1/@5k,cycles"}});
  EXPECT_EQ(counters_of(options), "cpu/event=0x3c,umask=1/@5000 cycles@1000000");
  EXPECT_EQ(counters_of("start,event=cpu/event=0x3c\\,umask=1/,cycles"), "cpu/event=0x3c,umask=1/@1000 cycles@1000000");
}

TEST(CounterNames, AFunctionIsAnEventAlone) {
  Options options = parse_options("start,event=malloc,interval=100");
  EXPECT_EQ(counters_of(options), "malloc@100");
  EXPECT_FALSE(samples(options, Event::kCpu));
  EXPECT_EQ(options.write.event, "malloc");
  EXPECT_EQ(refusal_of("start,event=cpu,malloc").substr(0, 14), "unknown option");
}

TEST(CounterNames, IntervalsThatNoCounterHasAreRefused) {
  EXPECT_EQ(refusal_of("start,event=cycles@0"),
            "option event: cannot use \"0\"; accepted: for cycles, a whole number from 1; k, m, g are thousands, "
            "millions, billions");
  EXPECT_NE(refusal_of("start,event=sched:sched_switch,interval=5").find("a whole number from 10"), std::string::npos);
  for (const char* bad : {"cycles@", "cycles@1x", "cycles@-1", "cycles@99999999999999", "live@1m", "cpu@1parsec"})
    EXPECT_EQ(refusal_of(formatted("start,event={}", bad)).substr(0, 7), "option ") << bad;
  EXPECT_EQ(refusal_of("start,event=cycles@1k,interval=1m").substr(0, 28), "two intervals of cycles were");
  EXPECT_EQ(refusal_of("start,event=cycles@1k,cycles@2k").substr(0, 28), "two intervals of cycles were");
}

TEST(CounterNames, SessionsMayShareThem) {
  Options one = parse_options("start,event=cycles,branch-misses"), other = parse_options("start,event=cycles@2m");
  EXPECT_STREQ(common_event(one, other), "cycles");
  EXPECT_EQ(contended_event(one, other), nullptr);
  EXPECT_TRUE(is_as_fine(one, other));
  EXPECT_FALSE(is_as_fine(other, one));
  EXPECT_TRUE(has_clock(one));
  EXPECT_TRUE(samples_nothing(without_events_of(other, one)));
  EXPECT_TRUE(samples_nothing(without_event(other, "cycles")));
  EXPECT_TRUE(samples_nothing(without_clocks(other)));
  EXPECT_STREQ(missing_event(parse_options("start,event=cpu"), other), "cycles");
  EXPECT_EQ(counters_of(with_longer_intervals(other, 3)), "cycles@6000000");
}

TEST(CounterNames, AreAsyncProfilersAsWell) {
  auto counters = [](std::string_view text) { return counters_of(parse_asprof_command(text).options); };
  EXPECT_EQ(counters("start,event=cache-misses,file=a.html"), "cache-misses@1000");
  EXPECT_EQ(counters("start,event=cycles,interval=5000,file=a.html"), "cycles@5000");
  EXPECT_EQ(counters("start,event=sched:sched_switch,interval=1,file=a.html"), "sched:sched_switch@10");
  EXPECT_EQ(counters("start,event=malloc,file=a.html"), "malloc@1");
}

}  // namespace
}  // namespace hearth::options
