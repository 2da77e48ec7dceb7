#include "profile/model/shown_samples.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "profile/formats/formats.h"

namespace hearth::profile {
namespace {

// 35 samples of CPU time and 1,550 of wall time.
Profile two_events() {
  Profile profile;
  profile.value_types = {{"samples", "count"}, {"cpu", "nanoseconds"}, {"wall", "nanoseconds"}};
  profile.metadata.event = "cpu, wall";
  NodeId busy = profile.child(0, profile.location(profile.function("busy", FrameKind::kJit), 0));
  NodeId idle = profile.child(0, profile.location(profile.function("idle", FrameKind::kJit), 0));
  int64_t cpu[] = {35, 350, 0}, wall[] = {1550, 0, 77'500};
  profile.add(busy, 0, cpu);
  profile.add(idle, 0, wall);
  profile.quality.samples = 1585;
  profile.quality.engine = "ctimer";
  return profile;
}

TEST(ShownSamples, AreThoseOfTheValue) {
  Profile profile = two_events();
  EXPECT_EQ(samples_with(profile, 0), 1585u);
  EXPECT_EQ(samples_with(profile, 1), 35u);
  EXPECT_EQ(samples_with(profile, 2), 1550u);
}

TEST(ShownSamples, OfObjectsAreNotKnown) {
  Profile profile;
  profile.value_types = {{"alloc_objects", "count"}, {"alloc_space", "bytes"}};
  EXPECT_EQ(samples_with(profile, 1), std::nullopt);
  EXPECT_TRUE(shown_rows(profile).empty());
}

TEST(ShownSamples, TextStatesTheSamplesOfItsEvent) {
  WriteOptions options;
  for (Format format : {Format::kFlat, Format::kTraces}) {
    std::string text = write(two_events(), format, options);
    EXPECT_NE(text.find("Shown here           : 35 of 1,585 samples\n"), std::string::npos) << text;
    EXPECT_NE(text.find("Few samples          : small shares may be chance"), std::string::npos) << text;
  }
  options.event = "wall";
  std::string text = write(two_events(), Format::kFlat, options);
  EXPECT_NE(text.find("1,550 of 1,585 samples"), std::string::npos) << text;
  EXPECT_EQ(text.find("Few samples"), std::string::npos) << text;
}

}  // namespace
}  // namespace hearth::profile
