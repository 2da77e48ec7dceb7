#include "session/counting/sample_counts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace hearth::session {
namespace {

capture::Sample sample(uint32_t stack, int64_t weight) {
  capture::Sample sample{};
  sample.stack = stack;
  sample.weight = weight;
  sample.objects = 0.5;
  return sample;
}

TEST(SampleCounts, SinceNothingIsAll) {
  SampleCounts counts;
  counts.add(sample(3, 10));
  auto all = counts.since({});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].key.stack, 3U);
  EXPECT_EQ(all[0].count.weight, 10);
}

TEST(SampleCounts, ARangeHasOnlyLaterSamples) {
  SampleCounts counts;
  counts.add(sample(1, 10));
  counts.add(sample(2, 20), 2);
  auto before = counts.counts();
  EXPECT_TRUE(counts.since(before).empty());
  counts.add(sample(2, 5));
  counts.add(sample(3, 7));
  auto since = counts.since(before);
  ASSERT_EQ(since.size(), 2U);
  EXPECT_EQ(since[0].key.stack, 2U);
  EXPECT_EQ(since[0].count.samples, 1);
  EXPECT_EQ(since[0].count.weight, 5);
  EXPECT_DOUBLE_EQ(since[0].count.objects, 0.5);
  EXPECT_EQ(since[1].key.stack, 3U);
  EXPECT_EQ(since[1].count.weight, 7);
}

TEST(SampleCounts, AFullTableRefusesNewKeysAndKeepsTheRest) {
  SampleCounts counts(1);
  EXPECT_TRUE(counts.add(sample(1, 10)));
  EXPECT_FALSE(counts.add(sample(2, 10)));
  EXPECT_TRUE(counts.add(sample(1, 10)));
  EXPECT_EQ(counts.all()[0].count.weight, 20);
}

capture::Sample in_span(uint16_t span, uint32_t stack) {
  capture::Sample one = sample(stack, 1);
  one.span = span;
  return one;
}

TEST(SampleCounts, SamplesOfSpansAreSeparate) {
  SampleCounts counts;
  counts.add(sample(1, 10));
  counts.add(in_span(7, 1));
  counts.add(in_span(8, 1));
  counts.add(in_span(7, 1));
  counts.add(sample(1, 10));
  auto all = counts.since({});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].span, capture::SpanTable::kNone);
  EXPECT_EQ(all[0].count.weight, 20);
  EXPECT_EQ(all[1].span, 7U);
  EXPECT_EQ(all[1].count.weight, 2);
  EXPECT_EQ(all[2].span, 8U);
  EXPECT_EQ(counts.by_time()[1].span, 7U);
}

TEST(SampleCounts, SpansOverTheMostAreOthersAndThoseBeforeStay) {
  SampleCounts counts(100, SampleTimes(), 2);
  for (uint16_t span : {1, 2, 3, 4, 1}) counts.add(in_span(span, 5));
  auto all = counts.since({});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].count.weight, 2);
  EXPECT_EQ(all[1].count.weight, 1);
  EXPECT_EQ(all[2].span, capture::SpanTable::kOther);
  EXPECT_EQ(all[2].count.weight, 2);
  EXPECT_EQ(counts.in_other_spans(), 2U);
  counts.add_spread(in_span(capture::SpanTable::kOther, 5), 7);  // as of a thread that waited where it was
  EXPECT_EQ(counts.in_other_spans(), 9U);
}

constexpr uint64_t kUnit = SampleTimes::kUnitNs;

capture::Sample at(uint64_t time_ns, uint32_t stack, int64_t weight = 1) {
  capture::Sample one = sample(stack, weight);
  one.time_ns = time_ns;
  one.objects = 0;
  return one;
}

// "stack@step samples/weight", in order of stacks, then steps.
std::string drawn(const SampleCounts& counts) {
  std::string text;
  for (const SampleCounts::Part& part : counts.by_time())
    text += std::to_string(part.key.stack) + "@" + std::to_string(part.time) + " " +
            std::to_string(part.count.samples) + "/" + std::to_string(part.count.weight) + "\n";
  return text;
}

TEST(SampleCounts, KnowWhenSamplesCame) {
  SampleCounts counts;
  constexpr uint64_t kBegan = 7'000'000'001;
  counts.begin(kBegan);
  counts.add(at(kBegan + kUnit, 1, 10));
  counts.add(at(kBegan + 2 * kUnit - 1, 1, 20));
  counts.add(at(kBegan + 5 * kUnit, 1, 5));
  counts.add(at(kBegan, 1, 3));
  counts.add(at(kBegan + 5 * kUnit, 1, 6));
  counts.add(at(kBegan + 5 * kUnit, 2, 7));
  EXPECT_EQ(drawn(counts), "1@1 2/30\n1@0 1/3\n1@5 2/11\n2@5 1/7\n");
  EXPECT_EQ(counts.step_ns(), static_cast<int64_t>(kUnit));
  EXPECT_EQ(counts.since({})[0].count.weight, 44);
  EXPECT_EQ(counts.since({})[0].time, profile::kNoTime);
}

TEST(SampleCounts, OtherTimesHaveStepsAsSamples) {
  SampleCounts counts;
  constexpr uint64_t kBegan = 7'000'000'001;
  counts.begin(kBegan);
  auto step_of = counts.step_of();
  EXPECT_EQ(step_of(kBegan - 1), 0U);
  EXPECT_EQ(step_of(kBegan + 5 * kUnit - 1), 4U);
  EXPECT_EQ(step_of(UINT64_MAX), SampleTimes::kMostSteps - 1);
  for (uint64_t unit = 0; unit <= SampleTimes::kMostSteps; unit++) counts.add(at(kBegan + unit * kUnit, 1));
  EXPECT_EQ(counts.step_of()(kBegan + 5 * kUnit), 2U);
}

TEST(SampleCounts, StepsDoubleAsTimeGoesOn) {
  SampleCounts counts;
  for (uint64_t unit = 0; unit < uint64_t{3} * SampleTimes::kMostSteps; unit++) counts.add(at(unit * kUnit, 1));
  EXPECT_EQ(counts.step_ns(), static_cast<int64_t>(4 * kUnit));
  std::vector<SampleCounts::Part> parts = counts.by_time();
  ASSERT_EQ(parts.size(), 3 * SampleTimes::kMostSteps / 4);
  for (uint32_t step = 0; step < parts.size(); step++) {
    ASSERT_EQ(parts[step].time, step);
    ASSERT_EQ(parts[step].count.samples, 4);
  }
  counts.add(at(uint64_t{1} << 56, 1));
  EXPECT_LT(counts.by_time().back().time, SampleTimes::kMostSteps);
}

TEST(SampleCounts, StepsDoubleWhereTooMuchIsApart) {
  constexpr size_t kMost = 10;
  SampleCounts counts(100, SampleTimes(kMost));
  for (uint64_t unit = 0; unit < 64; unit++)
    for (uint32_t stack = 0; stack < 3; stack++) counts.add(at(unit * kUnit, stack));
  EXPECT_EQ(counts.step_ns(), static_cast<int64_t>(16 * kUnit));
  EXPECT_EQ(drawn(counts),
            "0@0 16/16\n0@1 16/16\n0@2 16/16\n0@3 16/16\n1@0 16/16\n1@1 16/16\n1@2 16/16\n1@3 16/16\n"
            "2@0 16/16\n2@1 16/16\n2@2 16/16\n2@3 16/16\n");
}

TEST(SampleCounts, ARepeatedSampleIsSpreadOverItsTime) {
  SampleCounts counts;
  counts.add_spread(at(4 * kUnit + kUnit / 2, 1, 3 * kUnit), 6);
  EXPECT_EQ(drawn(counts), "1@1 1/10000000\n1@2 2/20000000\n1@3 2/20000000\n1@4 1/10000000\n");
  EXPECT_EQ(counts.all()[0].count.samples, 6);
  EXPECT_EQ(counts.all()[0].count.weight, static_cast<int64_t>(3 * kUnit));
  SampleCounts hours;
  hours.add_spread(at(uint64_t{36'000} * 1'000'000'000, 1, int64_t{36'000} * 1'000'000'000), 0);
  int64_t weight = 0;
  for (const SampleCounts::Part& part : hours.by_time()) weight += part.count.weight;
  EXPECT_EQ(weight, int64_t{36'000} * 1'000'000'000);
  EXPECT_LE(hours.by_time().size(), SampleTimes::kMostSteps);
}

TEST(SampleCounts, ObjectsOfAllStepsAreThoseOfTheWhole) {
  SampleCounts counts;
  double sum = 0;
  for (uint64_t unit = 0; unit < 100; unit++) {
    capture::Sample one = at(unit * kUnit, 1);
    one.objects = 1.4;
    counts.add(one);
  }
  for (const SampleCounts::Part& part : counts.by_time()) {
    EXPECT_EQ(part.count.objects, std::round(part.count.objects));
    sum += part.count.objects;
  }
  EXPECT_EQ(sum, 140);
}

}  // namespace
}  // namespace hearth::session
