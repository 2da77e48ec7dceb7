#include "naming/notes/call_notes.h"

#include <gtest/gtest.h>

#include "events/alloc/size_class.h"

namespace hearth::naming {
namespace {

events::CallCounts traced(const std::string& pattern, const std::vector<int64_t>& times, int64_t shortest = 0) {
  events::CallCounts counts;
  counts.pattern = pattern;
  counts.is_matched = true;
  counts.shortest_ns = shortest;
  counts.by_time.resize(events::CallCells().size());
  for (int64_t time : times) {
    counts.by_time[events::size_class(time) - 1]++;
    if (time >= shortest) counts.reported++;
  }
  return counts;
}

std::string note_of(const events::CallCounts& counts) {
  std::vector<std::string> notes = call_notes({counts}, 1);
  return notes.empty() ? "" : notes.front();
}

TEST(CallNotes, HaveNumbersByTime) {
  EXPECT_EQ(note_of(traced("A.b", {600, 700, 3000})),
            "trace A.b: 3 calls; half take less than 768 ns, 99 % less than 3.07 us, all less than 3.07 us; "
            "2 from 512 ns on, 1 from 2.05 us on");
  EXPECT_EQ(note_of(traced("A.b", {})), "trace A.b: 0 calls");
  EXPECT_EQ(note_of(traced("A.b", {1'500'000}, 1'000'000)).substr(0, 56),
            "trace A.b: 1 call, 1 of them of 1.00 ms or more; half ta");
}

TEST(CallNotes, HaveTheRateOfExceptions) {
  EXPECT_EQ(exception_note({}), "exceptions: 0 made");
  EXPECT_EQ(exception_note({25, 10'000'000'000}), "exceptions: 25 made, 2.50 a second");
  EXPECT_EQ(exception_note({1'234'567, 1'000'000'000}), "exceptions: 1,234,567 made, 1,234,567 a second");
}

TEST(CallNotes, TheTimesOfAllButOneInAHundredBoundTheRest) {
  std::vector<int64_t> times(99, 100);
  times.push_back(1'000'000'000);
  std::string note = note_of(traced("A.b", times));
  EXPECT_NE(note.find("half take less than 112 ns, 99 % less than 112 ns, all less than 1.07 s; 99 from 64 ns on"),
            std::string::npos)
      << note;
}

TEST(CallNotes, SayThatCallsCouldNotBeCounted) {
  events::CallCounts counts = traced("A.b", {});
  counts.by_time.clear();
  counts.is_counted = false;
  EXPECT_EQ(note_of(counts),
            "trace A.b: the number of calls is not known, as the JVM had no memory or time to report it");
}

TEST(CallNotes, NamePatternsWithoutAMethod) {
  events::CallCounts called;
  called.pattern = "A.b";
  called.reported = 1234;
  EXPECT_EQ(note_of(called), "calls A.b: no loaded class that can be changed has such a method with code");
  called.is_matched = true;
  EXPECT_EQ(note_of(called), "calls A.b: 1,234 calls");
}

TEST(CallNotes, TellOfSamplesThatWereSkipped) {
  EXPECT_EQ(call_notes({traced("A.b", {5}), traced("A.c", {5})}, 2).back(),
            "trace samples one of 2 calls that take long enough");
}

}  // namespace
}  // namespace hearth::naming
