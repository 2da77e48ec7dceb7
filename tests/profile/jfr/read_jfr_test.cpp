#include "profile/jfr/read_jfr.h"

#include <gtest/gtest.h>

#include <map>

#include "jfr/made_recording.h"
#include "profile/formats/formats.h"
#include "profile/jfr/layout.h"
#include "profile/model/event_view.h"

namespace hearth::profile {
namespace {

constexpr int64_t kMillisecond = 1'000'000;

std::map<std::string, int64_t> totals(const Profile& profile) {
  std::map<std::string, int64_t> totals;
  for (size_t index = 0; index < profile.sample_count(); ++index)
    for (size_t type = 0; type < profile.value_types.size(); ++type)
      totals[profile.value_types[type].type] += profile.values(index)[type];
  return totals;
}

std::string collapsed(const Profile& profile, const std::string& event, Lens lens = Lens::kTotal) {
  WriteOptions options;
  options.event = event;
  options.lens = lens;
  options.annotate = true;
  return write(profile, Format::kCollapsed, options);
}

std::string note_of(const Profile& profile) {
  return profile.quality.notes.empty() ? "" : profile.quality.notes.front();
}

std::string refusal(std::string_view bytes) {
  try {
    jfr::read(bytes);
    return "";
  } catch (const FormatError& error) {
    return error.what();
  }
}

class JfrOfIntegers : public testing::TestWithParam<bool> {};

TEST_P(JfrOfIntegers, EachEventHasItsValues) {
  MadeChunk made;
  made.compressed = GetParam();
  Profile profile = jfr::read(made_chunk(made));
  std::map<std::string, int64_t> expected = {{"samples", 6},
                                             {"cpu", 80 * kMillisecond},
                                             {"alloc_objects", 100},
                                             {"alloc_space", 1600},
                                             {"contentions", 2},
                                             {"delay", 12 * kMillisecond},
                                             {"park", 9 * kMillisecond},
                                             {"file_read", 300},
                                             {"file_read_time", 2 * kMillisecond}};
  EXPECT_EQ(totals(profile), expected);
  EXPECT_EQ(profile.metadata.event, "cpu, alloc, lock, park, file_read, file_read_time");
  EXPECT_EQ(profile.quality.samples, 9U);
  EXPECT_EQ(profile.quality.truncated, 1U);
  EXPECT_EQ(profile.quality.failures["unknown"], 1U);
  EXPECT_EQ(profile.quality.gc_pauses, 1U);
  EXPECT_EQ(profile.quality.gc_pause_ns, 4 * kMillisecond);
  EXPECT_EQ(profile.quality.notes, std::vector<std::string>());
}

INSTANTIATE_TEST_SUITE_P(Jfr, JfrOfIntegers, testing::Values(true, false));

TEST(Jfr, StacksAreOutermostFirstWithKindsAndClasses) {
  Profile profile = jfr::read(made_chunk());
  EXPECT_EQ(collapsed(profile, "cpu", Lens::kSamples),
            "Main.main_[0];Work.work_[j] 2\n[truncated];Main.main_[0];Work.work_[j] 1\n[unknown] 1\n");
  EXPECT_EQ(collapsed(profile, "alloc"), "Main.main_[0];Work.work_[j];byte[]_[i] 1600\n");
  EXPECT_EQ(collapsed(profile, "lock", Lens::kSamples),
            "Main.main_[0];Work.work_[j];java.lang.Object 1\n"
            "Main.main_[0];Work.work_[j];java.util.concurrent.locks.ReentrantLock$NonfairSync 1\n");
  WriteOptions lines;
  lines.lines = true;
  EXPECT_NE(write(profile, Format::kCollapsed, lines).find("Main.main:3;Work.work:7 "), std::string::npos);
}

TEST(Jfr, FramesHaveTheWordsOfEachJvm) {
  auto stack = [](const char* outer, const char* inner) {
    MadeChunk chunk;
    chunk.outer_frame = outer;
    chunk.inner_frame = inner;
    return collapsed(jfr::read(made_chunk(chunk)), "alloc");
  };
  EXPECT_EQ(stack("INTERPRETED", "JIT_INLINED"), "Main.main_[0];Work.work_[i];byte[]_[i] 1600\n") << "OpenJ9";
  EXPECT_EQ(stack("JIT", "NATIVE"), "Main.main_[j];Work.work_[j];byte[]_[i] 1600\n")
      << "a native method is one of Java";
  EXPECT_EQ(stack("AOT compiled", "AOT compiled"), "Main.main_[j];Work.work_[j];byte[]_[i] 1600\n") << "native image";
}

TEST(Jfr, ThreadsAndPathsAreLabels) {
  Profile profile = jfr::read(made_chunk());
  EXPECT_EQ(totals(only_labelled(profile, {{"thread", "main"}}))["cpu"], 80 * kMillisecond);
  EXPECT_EQ(totals(only_labelled(profile, {{"path", "/a/*"}}))["file_read"], 300);
  EXPECT_EQ(totals(only_labelled(profile, {{"tid", "20"}}))["park"], 9 * kMillisecond);
}

TEST(Jfr, EventsHaveTimes) {
  MadeChunk later;
  later.start_ns += 10'000 * kMillisecond;
  Profile profile = jfr::read(made_chunk() + made_chunk(later));
  EXPECT_EQ(profile.metadata.start_unix_ns, MadeChunk().start_ns);
  EXPECT_EQ(profile.metadata.duration_ns, 11'000 * kMillisecond);
  TimeChoice second = {later.start_ns, INT64_MAX};
  EXPECT_EQ(totals(only_between(profile, second))["cpu"], 80 * kMillisecond);
  Profile part = jfr::read(made_chunk() + made_chunk(later), {later.start_ns + 400 * kMillisecond, INT64_MAX});
  EXPECT_EQ(totals(part).count("cpu"), 0U);
  EXPECT_EQ(totals(part)["park"], 9 * kMillisecond);
  EXPECT_EQ(part.metadata.duration_ns, 600 * kMillisecond);
}

TEST(Jfr, RecordingsOfAnyLengthHaveFewTimeSteps) {
  MadeChunk later;
  later.start_ns += int64_t{86'400'000} * kMillisecond;
  Profile profile = jfr::read(made_chunk() + made_chunk(later));
  TimeStep last = 0;
  for (size_t index = 0; index < profile.sample_count(); ++index) last = std::max(last, profile.sample(index).time);
  EXPECT_LT(last, 4096U);
  EXPECT_NEAR(static_cast<double>(last) * static_cast<double>(profile.metadata.time_step_ns), 86.4e12, 1e11);
}

TEST(Jfr, ADamagedChunkIsSkippedAndNamed) {
  std::string good = made_chunk(), bad = good;
  for (size_t at = jfr::header::kSize; at < bad.size(); ++at) bad[at] = '\x7F';
  Profile profile = jfr::read(good + bad + good);
  EXPECT_EQ(totals(profile)["cpu"], 160 * kMillisecond);
  std::string named = "chunk 2 of 3 (bytes " + std::to_string(good.size()) + " to " + std::to_string(2 * good.size());
  EXPECT_EQ(note_of(profile).rfind(named, 0), 0U) << note_of(profile);
  EXPECT_NE(note_of(profile).find("it is skipped"), std::string::npos) << note_of(profile);
}

TEST(Jfr, ADamagedSizeLosesNoOtherChunk) {
  std::string good = made_chunk(), bad = good;
  bad[jfr::header::kChunkSize + 6] ^= 1;
  Profile profile = jfr::read(good + bad + good);
  EXPECT_EQ(totals(profile)["cpu"], 240 * kMillisecond);
  EXPECT_NE(note_of(profile).find("its size is damaged"), std::string::npos) << note_of(profile);
}

TEST(Jfr, AChunkThatIsBeingWrittenIsReadAsFarAsItGoes) {
  MadeChunk unfinished;
  unfinished.is_finished = false;
  Profile profile = jfr::read(made_chunk() + made_chunk(unfinished));
  EXPECT_EQ(totals(profile)["cpu"], 160 * kMillisecond);
  EXPECT_NE(note_of(profile).find("still being written"), std::string::npos) << note_of(profile);
}

TEST(Jfr, WhatIsNoRecordingIsRefused) {
  EXPECT_NE(refusal(jfr::kMagic).find("cut short"), std::string::npos) << refusal(jfr::kMagic);
  std::string old = made_chunk();
  old[jfr::header::kVersion + 1] = 1;
  EXPECT_NE(refusal(old).find("Oracle's JDK 7 or 8"), std::string::npos) << refusal(old);
  std::string good = made_chunk();
  EXPECT_NE(refusal(good.substr(0, good.size() / 4)).find("is cut short"), std::string::npos);
}

TEST(Jfr, IsRecognisedByItsContent) {
  EXPECT_EQ(totals(read(made_chunk()))["cpu"], 80 * kMillisecond);
}

}  // namespace
}  // namespace hearth::profile
