// Labels, times and lines on their way through a page and through pprof.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "profile/analysis/difference.h"
#include "profile/codec/bytes.h"
#include "profile/formats/formats.h"
#include "profile/page/flame_graph_page.h"
#include "profile/page/page_data.h"
#include "sample_profile.h"

namespace hearth::profile {
namespace {

constexpr int64_t kStep = 20'000'000;

nlohmann::json header_of(std::string_view payload) {
  ByteReader reader(payload, "it");
  return nlohmann::json::parse(reader.take(reader.varint()));
}

// Samples with and without labels and times, of one method at two lines.
Profile timed_profile() {
  Profile profile;
  profile.value_types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
  profile.metadata.time_step_ns = kStep;
  LabelSetId main = profile.label_set({{"thread", "main", 0, ""}, {"tid", "", 12, ""}, {"state", "running", 0, ""}});
  LabelSetId worker = profile.label_set({{"thread", "wörker", 0, ""}, {"delta", "", -3, "bytes"}});
  FunctionId method = profile.function("a/B.c", FrameKind::kJit);
  NodeId first = profile.child(0, profile.location(method, 10)),
         second = profile.child(0, profile.location(method, 400));
  auto sampled = [&](NodeId node, LabelSetId labels, TimeStep time) {
    int64_t values[] = {1, 1000};
    profile.add(node, labels, values, time);
  };
  for (TimeStep time : {0u, 3u, 70u}) sampled(first, main, time);
  sampled(second, main, kNoTime);
  sampled(second, worker, 3);
  sampled(second, 0, 3);
  return profile;
}

TEST(PageLabels, LabelsTimesAndLinesComeBack) {
  Profile profile = timed_profile();
  std::string payload = encode_page_data(profile, {});
  nlohmann::json header = header_of(payload);
  EXPECT_EQ(header["time"], nlohmann::json::parse(R"({"step_ns":20000000,"count":71})"));
  EXPECT_EQ(header["labels"], nlohmann::json::parse(R"([{"key":"delta","unit":"bytes"},{"key":"state"},{"key":"thread"},
                                      {"key":"tid","unit":""}])"));
  EXPECT_EQ(header["words"], 3);
  EXPECT_EQ(header["label_sets"], 2);
  EXPECT_EQ(header["rows"], 6);
  EXPECT_EQ(header["nodes"], 2);
  Profile read = decoded(payload);
  EXPECT_EQ(dump(read), dump(profile));
  EXPECT_EQ(read.metadata.time_step_ns, kStep);
  EXPECT_EQ(encode_page_data(read, {}), payload);
}

TEST(PageLabels, PprofKeepsTimesAsALabel) {
  Profile profile = timed_profile();
  Profile read = read_pprof(write_pprof(profile, {}));
  EXPECT_EQ(dump(read), dump(profile));
  EXPECT_EQ(read.metadata.time_step_ns, kStep);
  EXPECT_TRUE(read.metadata.comments.empty());
  // Without the step it is a label like others.
  profile.metadata.time_step_ns = 0;
  LabelSetId labels = profile.label_set({{"time", "", 2 * kStep, "nanoseconds"}});
  int64_t values[] = {1, 1000};
  profile.add(stack(profile, {{"f", FrameKind::kJit}}), labels, values);
  EXPECT_NE(dump(read_pprof(write_pprof(profile, {}))).find("<time:40000000nanoseconds>"), std::string::npos);
}

TEST(PageLabels, ATimeThatCannotBeIsRefused) {
  Profile profile = timed_profile();
  profile.metadata.time_step_ns = 1;
  int64_t values[] = {1, 1000};
  NodeId node = stack(profile, {{"f", FrameKind::kJit}});
  profile.add(node, 0, values, kMostTimeSteps - 1);
  EXPECT_NO_THROW(read_pprof(write_pprof(profile, {})));
  profile.add(node, 0, values, kMostTimeSteps);
  EXPECT_THROW(read_pprof(write_pprof(profile, {})), FormatError);
  EXPECT_THROW(decoded(encode_page_data(profile, {})), FormatError);
}

TEST(PageLabels, TextAddsUpOverTimeAndLabels) {
  EXPECT_EQ(write(timed_profile(), Format::kCollapsed, {}), "a/B.c 6\n");
  WriteOptions lines;
  lines.lines = true;
  EXPECT_EQ(write(timed_profile(), Format::kCollapsed, lines), "a/B.c:10 3\na/B.c:400 3\n");
}

TEST(PageLabels, ADifferenceHasLabelsAndNoTimes) {
  Difference difference(timed_profile(), timed_profile(), {});
  nlohmann::json header = header_of(page_payload(write_difference_page(difference, {})));
  EXPECT_EQ(header["time"], nullptr);
  EXPECT_EQ(header["label_sets"], 2);
  EXPECT_EQ(header["rows"], 4);
  EXPECT_EQ(header["nodes"], 2);
}

}  // namespace
}  // namespace hearth::profile
