#include "profile/model/quality.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sample_profile.h"

namespace hearth::profile {
namespace {

Quality full_quality() {
  Quality quality = sample_profile().quality;
  quality.truncated = 3;
  quality.recovered = 4;
  quality.walk_ns_mean = 9900;
  quality.walk_ns_p50 = 8000;
  quality.walk_ns_p99 = 25'000;
  quality.handler_ns_p50 = 9000;
  quality.handler_ns_p99 = 27'000;
  quality.without_symbols = {{"libc.so.6", 2}, {"lib=odd.so", 1}};
  quality.threads_cpu_ns = 8'000'000'000;
  quality.notes.push_back("a second note = with an equals sign");
  return quality;
}

TEST(Quality, LinesGiveBackEverything) {
  Quality quality = full_quality();
  Quality read;
  for (const std::string& line : quality_lines(quality)) EXPECT_TRUE(read_quality_line(line, read)) << line;
  EXPECT_EQ(quality_json(read), quality_json(quality));
  EXPECT_EQ(read.failures, quality.failures);
  EXPECT_EQ(read.without_symbols, quality.without_symbols);
  EXPECT_EQ(read.notes, quality.notes);
}

TEST(Quality, TheDifferenceFromAnEarlierReportSubtractsSumsAndKeepsTimes) {
  Quality before = full_quality();
  Quality now = before;
  now.samples += 10;
  now.own_cpu_ns += 300;
  now.without_symbols["libc.so.6"] += 5;
  now.handler_ns_p50 = 11'000;
  Quality since = quality_since(before, now);
  EXPECT_EQ(since.samples, 10U);
  EXPECT_EQ(since.lost, 0U);
  EXPECT_EQ(since.own_cpu_ns, 300);
  EXPECT_EQ(since.threads_cpu_ns, 0);
  EXPECT_EQ(since.without_symbols, (std::map<std::string, uint64_t>{{"libc.so.6", 5}}));
  EXPECT_TRUE(since.failures.empty());
  EXPECT_EQ(since.handler_ns_p50, 11'000);
  EXPECT_EQ(since.engine, before.engine);
  EXPECT_EQ(since.notes, before.notes);
}

TEST(Quality, ForeignLinesAreNotTaken) {
  Quality quality;
  for (const char* line :
       {"", "hearth", "hearth.", "hearth.samples", "hearth.samples=x", "hearth.samples=-1", "samples=1",
        "hearth.failure.x=", "hearth.other=1", "hearth.samples=99999999999999999999999"})
    EXPECT_FALSE(read_quality_line(line, quality)) << line;
  EXPECT_TRUE(quality_lines(quality).empty());
}

TEST(Quality, JsonGivesBackEverything) {
  Quality quality = full_quality();
  nlohmann::json object = quality_json(quality);
  EXPECT_EQ(object["whole_share"], 5.0 / 6);
  EXPECT_EQ(object["without_symbols_share"], 3.0 / 8);
  EXPECT_EQ(quality_json(quality_of_json(object)), object);
  EXPECT_TRUE(quality_json(Quality{})["whole_share"].is_null());
  EXPECT_EQ(quality_of_json(nlohmann::json::parse(R"({"samples":"many","failures":[1],"notes":{"a":1}})")).samples, 0u);
}

TEST(Quality, IsPrintedInOneLine) {
  Quality quality = full_quality();
  quality.samples = 3817;
  EXPECT_EQ(quality_text(quality, 10'000'000'000),
            "3,817 samples, 2 lost, 83.3 % whole stacks, engine perf_events, overhead 0.6 % CPU");
  EXPECT_EQ(quality_text(quality, 0), "3,817 samples, 2 lost, 83.3 % whole stacks, engine perf_events");
  Quality foreign;
  foreign.samples = 1;
  EXPECT_EQ(quality_text(foreign, 1), "1 sample, losses unknown");
  foreign.lost = 2;
  EXPECT_EQ(quality_text(foreign, 1), "1 sample, 2 lost");
}

TEST(Quality, PrintsTheCountsOfTheJvm) {
  Quality quality;
  quality.allocated_bytes = 4'000'000'000;
  quality.sampled_bytes = 3'988'000'000;
  quality.allocated_by_thread = {{"main tid=12", 3'000'000'000}, {"a=b tid=13", 1'000'000'000}};
  quality.gc_pauses = 1234;
  quality.gc_pause_ns = 100'000'000;
  quality.gc_cpu_ns = 400'000'000;
  quality.process_cpu_ns = 16'000'000'000;
  std::vector<QualityRow> rows = quality_rows(quality, 8'000'000'000);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].value, "4.00 GB, 500 MB/s by the JVM's own count; the samples account for 99.7 %");
  EXPECT_EQ(rows[1].value, "1,234 pauses, 100 ms (1.25 % of the time); 400 ms of CPU (2.50 % of the process's)");

  Quality in_window = quality;  // of which the JVM counts no bytes
  in_window.allocated_bytes = 0;
  in_window.allocated_by_thread.clear();
  rows = quality_rows(in_window, 8'000'000'000);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].label, "Garbage collection");

  Quality read;
  for (const std::string& line : quality_lines(quality)) EXPECT_TRUE(read_quality_line(line, read)) << line;
  EXPECT_EQ(quality_json(read), quality_json(quality));
}

TEST(Quality, PrintsTheRestInRowsLargestFirst) {
  Quality quality = full_quality();
  quality.failures["deoptimization"] = 2;
  std::string rows;
  for (const QualityRow& row : quality_rows(quality, 0)) rows += row.label + ": " + row.value + "\n";
  EXPECT_EQ(rows,
            "deoptimization: 2 (25.00%)\n"
            "unknown_Java: 1 (12.50%)\n"
            "truncated: 3 (37.50%)\n"
            "Without symbols: 3 (37.50%): libc.so.6 2, lib=odd.so 1\n"
            "Time of a sample: median 9.00 us, p99 27.0 us; the walk alone: median 8.00 us, p99 25.0 us\n"
            "Own CPU time: 60.0 ms, program CPU time 8.00 s\n"
            "Note: kernel frames are hidden: kptr_restrict; set it to 0\n"
            "Note: a second note = with an equals sign\n");
  EXPECT_TRUE(quality_rows(Quality{}, 0).empty());
}

}  // namespace
}  // namespace hearth::profile
