#include "profile/analysis/request_path.h"

#include <gtest/gtest.h>

#include "base/formatted.h"
#include "profile/formats/formats.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

constexpr auto kJava = FrameKind::kJit;
constexpr auto kMarker = FrameKind::kMarker;

LabelSetId labelled(Profile* profile, const std::vector<std::pair<std::string, std::string>>& labels) {
  LabelSet set;
  for (const auto& [key, text] : labels) set.push_back({key, text, 0, ""});
  return profile->label_set(set);
}

// Values: samples, wall, holders, wakeups, wakers, io_calls, io_time.
Profile of_requests() {
  Profile profile;
  profile.value_types = {{"samples", "count"},       {"wall", "nanoseconds"},    {"io_calls", "count"},
                         {"io_time", "nanoseconds"}, {"holders", "nanoseconds"}, {"wakeups", "count"},
                         {"wakers", "nanoseconds"}};
  profile.metadata.event = "wall, io, holders, wakers";
  return profile;
}

std::string text_of(const RequestPath& path) {
  std::string text = formatted("{} of {}\n", path.time_ns, path.threads);
  for (const PathStep& step : path.steps) {
    text += formatted("{} {} {}\n", step.time_ns, step.state, step.method);
    for (const PathCause& cause : step.causes)
      text += formatted("  {} {} {} {} {:.2f}\n", static_cast<int>(cause.kind), cause.what, cause.object, cause.time_ns,
                        cause.share);
  }
  return text;
}

TEST(RequestPath, JoinsStatesWithTheirCauses) {
  Profile profile = of_requests();
  LabelSetId runs = labelled(&profile, {{"endpoint", "/a"}});
  LabelSetId waits = labelled(&profile, {{"endpoint", "/a"}, {"state", "monitor"}});
  LabelSetId other = labelled(&profile, {{"endpoint", "/b"}, {"state", "monitor"}});
  LabelSetId reads = labelled(&profile, {{"endpoint", "/a"}, {"state", "socket"}});
  LabelSetId call = labelled(&profile, {{"endpoint", "/a"}, {"io", "read"}, {"peer", "db:5432"}});
  LabelSetId stopped = labelled(&profile, {{"endpoint", "/a"}, {"safepoint", "Collect"}, {"state", "safepoint"}});
  add(profile, {{"Shop.sum", kJava}}, {1, 10, 0, 0, 0, 0, 0}, runs);
  add(profile, {{"Shop.enter", kJava}, {"java/lang/Thread.x", kJava}}, {3, 30, 0, 0, 0, 0, 0}, waits);
  add(profile, {{"Shop.enter", kJava}}, {9, 90, 0, 0, 0, 0, 0}, other);
  add(profile, {{"Shop.load", kJava}}, {2, 20, 0, 0, 0, 0, 0}, reads);
  add(profile, {{"Shop.load", kJava}, {"read", FrameKind::kNative}}, {0, 0, 4, 19, 0, 0, 0}, call);
  add(profile, {{"Shop.sum", kJava}}, {1, 5, 0, 0, 0, 0, 0}, stopped);
  add(profile, {{"Shop.keep", kJava}, {"[holds Store]", kMarker}, {"Shop.enter", kJava}}, {3, 0, 0, 0, 30, 0, 0});
  add(profile, {{"Shop.clean", kJava}, {"[holds Store]", kMarker}, {"Shop.enter", kJava}}, {1, 0, 0, 0, 10, 0, 0});
  add(profile, {{"Shop.put", kJava}, {"[wakes Queue]", kMarker}, {"Shop.take", kJava}}, {0, 0, 0, 0, 0, 1, 40});
  EXPECT_EQ(text_of(request_path(profile, {{"endpoint", "/a"}})),
            "65 of 0\n"
            "30 monitor Shop.enter\n"
            "  0 Shop.keep Store 30 0.75\n"
            "  0 Shop.clean Store 10 0.25\n"
            "20 socket Shop.load\n"
            "  2 read db:5432  19 1.00\n"
            "10 running Shop.sum\n"
            "5 safepoint Shop.sum\n"
            "  3 Collect  5 1.00\n");
}

TEST(RequestPath, NeedsWallTimeAndTheLabel) {
  Profile cpu;
  cpu.value_types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
  cpu.metadata.event = "cpu";
  add(cpu, {{"Shop.sum", kJava}}, {1, 10});
  EXPECT_THROW(request_path(cpu, {{"endpoint", "/a"}}), FormatError);
  Profile profile = of_requests();
  add(profile, {{"Shop.sum", kJava}}, {1, 10, 0, 0, 0, 0, 0}, labelled(&profile, {{"endpoint", "/a"}}));
  EXPECT_THROW(request_path(profile, {{"endpoint", "/no"}}), FormatError);
  Profile wall;
  wall.value_types = {{"samples", "count"}, {"wall", "nanoseconds"}};
  wall.metadata.event = "wall";
  add(wall, {{"Shop.sum", kJava}}, {1, 10}, labelled(&wall, {{"endpoint", "/a"}}));
  EXPECT_EQ(request_path(wall, {{"endpoint", "/a"}}).missing, (std::vector<std::string>{"holders", "wakers", "io"}));
}

}  // namespace
}  // namespace hearth::profile
