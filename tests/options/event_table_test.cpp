#include "options/event_table.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "base/formatted.h"
#include "options/option_values.h"
#include "options/sampled_events.h"

namespace hearth::options {
namespace {

TEST(EventTable, RowsAreInTheOrderOfEvents) {
  for (size_t i = 0; i < kEventCount; i++) {
    const EventRow& row = event_rows()[i];
    EXPECT_EQ(static_cast<size_t>(row.event), i);
    EXPECT_EQ(&row_of(row.event), &row);
    EXPECT_EQ(event_row(row.name), &row);
    EXPECT_TRUE(row.least <= row.usual && row.usual <= row.most) << row.name;
    EXPECT_FALSE(row.accepts.empty() || row.pprof_words.empty() || row.words.empty()) << row.name;
    EXPECT_TRUE(row.in_store.empty() || parse_interval(row, row.in_store, {row.name, row.accepts}) > 0) << row.name;
  }
  EXPECT_EQ(event_row("ctimer"), nullptr);
}

TEST(EventTable, KindsHaveValuesOfTheirOwn) {
  std::set<std::string_view> names, values;
  for (const profile::EventKind& kind : profile::kEventKinds) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_TRUE(values.insert(kind.weight).second) << kind.weight;
    EXPECT_TRUE(!kind.counts_objects() || values.insert(kind.count).second) << kind.count;
    EXPECT_EQ(profile::kind_of_value(kind.weight), &kind);
  }
  EXPECT_EQ(profile::kind_of_value(profile::kSamplesType), nullptr);
}

TEST(EventTable, AnIntervalOfEachIsKeptAndLeftOut) {
  for (const EventRow& row : event_rows()) {
    Options options;
    set_interval(&options, row.event, row.most);
    EXPECT_EQ(interval_of(options, row.event), row.most) << row.name;
    set_interval(&options, row.event, std::nullopt);
    EXPECT_FALSE(samples(options, row.event)) << row.name;
  }
}

TEST(EventTable, EachEventStartsAloneAtItsDefaultAndWithinItsBounds) {
  for (const EventRow& row : event_rows()) {
    std::string start = formatted("start,event={}", row.name);
    Options usual = parse_options(start);
    auto comes = [&row](Event other) {
      return other == row.event || (row.event == Event::kHolders && other == Event::kWall);
    };
    for (const EventRow& other : event_rows())
      EXPECT_EQ(samples(usual, other.event), comes(other.event)) << row.name << " " << other.name;
    EXPECT_EQ(interval_of(usual, row.event), row.usual);
    EXPECT_EQ(interval_of(parse_options(formatted("{},interval={}", start, row.least)), row.event), row.least);
    EXPECT_EQ(interval_of(parse_options(formatted("{},interval={}", start, row.most)), row.event), row.most);
    EXPECT_THROW(parse_options(formatted("{},interval={}", start, row.most + 1)), Error) << row.name;
    EXPECT_THROW(parse_options(formatted("{},interval={}", start, row.least - 1)), Error) << row.name;
  }
}

TEST(EventTable, HoldersBringTheWallClockAtAStartAlone) {
  EXPECT_EQ(interval_of(parse_options("start,event=holders,wall=5ms"), Event::kWall), 5'000'000);
  for (const char* action : {"pause", "resume", "stop", "dump"})
    EXPECT_FALSE(samples(parse_options(formatted("{},event=holders", action)), Event::kWall)) << action;
  Options both = parse_options("start,event=cpu,wall,holders");
  EXPECT_FALSE(samples(without_event(both, "wall"), Event::kHolders));
  EXPECT_FALSE(samples(without_clocks(both), Event::kHolders));
  EXPECT_TRUE(samples(without_event(both, "holders"), Event::kWall));
}

// A sample of each switch would cause the next one.
TEST(EventTable, ContextSwitchesAreSampledOneInTenAtMost) {
  EXPECT_EQ(row_of(Event::kContextSwitches).least, 10);
  EXPECT_EQ(interval_of(parse_options("start,event=context-switches"), Event::kContextSwitches), 100);
}

TEST(EventTable, OptionsOfTheSameNameTakeTheIntervalAndHaveTheDefault) {
  for (const EventRow& row : event_rows()) {
    const OptionRow* option = option_named(row.name);
    if (row.needs_pattern) continue;
    EXPECT_EQ(option != nullptr, row.has_option) << row.name;
    EXPECT_NE(option_named("event")->accepts.find(row.name), std::string_view::npos) << row.name;
    if (option == nullptr) continue;
    EXPECT_EQ(option->accepts, row.accepts);
    Options bare = parse_options(formatted("start,{}", row.name));
    Options chosen = parse_options(formatted("start,{}={}", row.name, option->usual));
    EXPECT_EQ(interval_of(bare, row.event), row.usual);
    EXPECT_EQ(interval_of(chosen, row.event), row.usual);
  }
}

}  // namespace
}  // namespace hearth::options
