#include "profile/formats/rewritten_stacks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "sample_profile.h"

namespace hearth::profile {
namespace {

// As a program does that reads the stacks and writes its own.
Profile rewritten(const Profile& profile, const std::function<std::string(std::string)>& change,
                  const WriteOptions& options = {}) {
  std::string lines = stack_lines(profile, options), changed;
  for (size_t at = 0, end; at < lines.size(); at = end + 1) {
    end = lines.find('\n', at);
    changed += change(lines.substr(at, end - at)) + "\n";
  }
  return rewritten_stacks(profile, options, changed);
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += by.size())
    text.replace(at, part.size(), by);
  return text;
}

bool has(const Profile& profile, const std::string& line) {
  return dump(profile).find(line) != std::string::npos;
}

TEST(RewrittenStacks, EachTextIsThereOnceWhateverItsFramesAre) {
  EXPECT_EQ(stack_lines(sample_profile(), {}),
            "clojure.main/main;cheshire.parse/parse*\n"
            "clojure.main/main;cheshire.parse/parse*;vfs_read_[k]\n"
            "clojure.main/main;java/util/HashMap.get;itable stub\n"
            "[GC Thread#0 tid=7];G1ParTask::work;memcpy\n"
            "clojure.main/main;[unknown_Java];naïve→λ\n");
}

TEST(RewrittenStacks, UnchangedStacksKeepEverything) {
  Profile profile = sample_profile();
  Profile same = rewritten(profile, [](const std::string& line) { return line; });
  EXPECT_EQ(dump(same), dump(profile));
  EXPECT_EQ(same.quality.engine, "perf_events");
  EXPECT_EQ(same.quality.lost, 2u);
  EXPECT_EQ(same.metadata.duration_ns, profile.metadata.duration_ns);
}

TEST(RewrittenStacks, FramesKeepTheirKindsAndSamplesTheirLabels) {
  Profile cut =
      rewritten(sample_profile(), [](const std::string& line) { return replaced(line, "clojure.main/main;", ""); });
  EXPECT_TRUE(has(cut, "cheshire.parse/parse*|2|:0 samples=3 cpu=3000000 <request_bytes:512bytes><thread:main0>"))
      << dump(cut);
  EXPECT_TRUE(has(cut, "cheshire.parse/parse*|3|:0 vfs_read|6|:0 samples=1")) << dump(cut);
  EXPECT_TRUE(has(cut, "cheshire.parse/parse*|0|:0 samples=1")) << dump(cut);
  EXPECT_TRUE(has(cut, "[unknown_Java]|9|:0 naïve→λ|4|:0")) << dump(cut);
}

TEST(RewrittenStacks, ANewNameHasTheKindOfTheFrameInWhosePlaceItIs) {
  Profile profile = rewritten(sample_profile(), [](const std::string& line) {
    return replaced(replaced(line, "cheshire.parse/parse*", "PARSE"), "memcpy", "java/util/HashMap.get");
  });
  EXPECT_TRUE(has(profile, "clojure.main/main|2|:0 PARSE|2|:0 samples=3")) << dump(profile);
  EXPECT_TRUE(has(profile, "clojure.main/main|2|:0 PARSE|0|:0 samples=1")) << dump(profile);
  EXPECT_TRUE(has(profile, "G1ParTask::work|5|:0 java/util/HashMap.get|1|:0"))
      << "known from elsewhere: " << dump(profile);
  Profile first = rewritten(sample_profile(), [](const std::string&) { return "[all];of x"; });
  EXPECT_TRUE(has(first, "[all]|9|:0 of x|2|:0 samples=3")) << dump(first);
}

TEST(RewrittenStacks, EmptyLinesDropTheirStacks) {
  Profile profile = rewritten(
      sample_profile(), [](const std::string& line) { return line.find("HashMap") == std::string::npos ? "" : line; });
  EXPECT_EQ(dump(profile),
            "clojure.main/main|2|:0 java/util/HashMap.get|1|:0 itable stub|7|:0 samples=1 cpu=1000000 \n");
  EXPECT_THROW(rewritten(sample_profile(), [](const std::string&) { return ""; }), FormatError);
}

TEST(RewrittenStacks, ExcludedStacksAreNeitherShownNorKept) {
  WriteOptions options;
  options.include = {"*HashMap*"};
  EXPECT_EQ(stack_lines(sample_profile(), options), "clojure.main/main;java/util/HashMap.get;itable stub\n");
  Profile profile = rewritten(
      sample_profile(), [](const std::string&) { return "x"; }, options);
  EXPECT_EQ(dump(profile), "x|2|:0 samples=1 cpu=1000000 \n");
  options.include.clear();
  options.labels = {{"thread", "main"}};
  EXPECT_EQ(stack_lines(sample_profile(), options), "clojure.main/main;cheshire.parse/parse*\n");
}

TEST(RewrittenStacks, AStateIsAFrameThatCanBeTakenAway) {
  Profile profile;
  profile.value_types = {{"samples", "count"}, {"wall", "nanoseconds"}};
  LabelSetId parked = profile.label_set({{"state", "parked", 0, ""}, {"thread", "main", 0, ""}});
  add(profile, {{"A.main", FrameKind::kJit}, {"A.rest", FrameKind::kJit}}, {4, 200}, parked);
  add(profile, {{"A.main", FrameKind::kJit}}, {1, 50}, profile.label_set({{"state", "running", 0, ""}}));
  EXPECT_EQ(stack_lines(profile, {}), "A.main\nA.main;A.rest;[parked]\n");
  Profile kept = rewritten(profile, [](const std::string& line) { return replaced(line, "A.rest", "REST"); });
  EXPECT_TRUE(has(kept, "REST|2|:0 [parked]|9|:0 samples=4 wall=200 <state:parked0><thread:main0>")) << dump(kept);
  Profile cut = rewritten(profile, [](const std::string& line) { return replaced(line, ";[parked]", ""); });
  EXPECT_TRUE(has(cut, "A.rest|2|:0 samples=4 wall=200 <thread:main0>")) << dump(cut);
  EXPECT_TRUE(has(cut, "samples=1 wall=50 <state:running0>")) << dump(cut);
}

TEST(RewrittenStacks, AnotherNumberOfLinesIsRefused) {
  for (const char* lines : {"", "a\n", "a\nb\nc\nd\ne\nf\n"})
    EXPECT_THROW(rewritten_stacks(sample_profile(), {}, lines), FormatError) << lines;
}

}  // namespace
}  // namespace hearth::profile
