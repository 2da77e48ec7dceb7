#include "commands/metrics_text.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

namespace hearth::commands {
namespace {

SessionFigures figures() {
  SessionFigures session;
  session.running = true;
  session.duration_ns = 12'500'000'000;
  session.event = "cpu";
  profile::Quality& quality = session.quality;
  quality.engine = "perf_events";
  session.lost_weights = {{"cpu", 20'000'000}, {"wall", 0}, {"alloc", 512}};
  quality.samples = 100;
  quality.lost = 2;
  quality.java_samples = 80;
  quality.whole = 60;
  quality.failures = {{"unknown_Java", 3}, {"root_missing", 1}};
  quality.without_symbols = {{"lib\"odd\\.so", 7}};
  quality.handler_ns_mean = 10'000;
  quality.handler_ns_p50 = 9000;
  quality.handler_ns_p99 = 27'000;
  quality.own_cpu_ns = 1'500'000;
  return session;
}

// The lines of `text` that start so, without the start.
std::multiset<std::string> after(const std::string& text, const std::string& start) {
  std::multiset<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.compare(0, start.size(), start) == 0) found.insert(line.substr(start.size()));
  return found;
}

using Lines = std::multiset<std::string>;

TEST(MetricsText, PrintsTheFigures) {
  std::string text = metrics_text({figures()});
  EXPECT_EQ(after(text, "hearth_session_running "), Lines{"1"});
  EXPECT_EQ(after(text, "hearth_session_info"), Lines{"{event=\"cpu\",engine=\"perf_events\"} 1"});
  EXPECT_EQ(after(text, "hearth_session_duration_seconds{event=\"cpu\"} "), Lines{"12.5"});
  EXPECT_EQ(after(text, "hearth_samples_total{event=\"cpu\"} "), Lines{"100"});
  EXPECT_EQ(after(text, "hearth_samples_lost_total{event=\"cpu\"} "), Lines{"2"});
  EXPECT_EQ(after(text, "hearth_whole_stacks_ratio{event=\"cpu\"} "), Lines{"0.75"});
  EXPECT_EQ(after(text, "hearth_walk_failures_total"),
            (Lines{"{event=\"cpu\",reason=\"unknown_Java\"} 3", "{event=\"cpu\",reason=\"root_missing\"} 1"}));
  EXPECT_EQ(after(text, "hearth_samples_without_symbols_total"), Lines{R"({event="cpu",library="lib\"odd\\.so"} 7)"});
  EXPECT_EQ(after(text, "hearth_handler_seconds"),
            (Lines{"{event=\"cpu\",quantile=\"0.5\"} 9e-06", "{event=\"cpu\",quantile=\"0.99\"} 2.7e-05",
                   "_sum{event=\"cpu\"} 0.00102", "_count{event=\"cpu\"} 102"}));
  EXPECT_EQ(after(text, "hearth_own_cpu_seconds_total{event=\"cpu\"} "), Lines{"0.0015"});
}

TEST(MetricsText, TheCollectorsCostIsPrintedWithAllocations) {
  SessionFigures session = figures();
  EXPECT_TRUE(after(metrics_text({session}), "hearth_gc_").empty());
  session.quality.sampled_bytes = 1 << 20;
  session.quality.gc_pauses = 3;
  session.quality.gc_pause_ns = 20'000'000;
  session.quality.gc_cpu_ns = 50'000'000;
  EXPECT_EQ(after(metrics_text({session}), "hearth_gc_"),
            (Lines{"pauses_total{event=\"cpu\"} 3", "pause_seconds_total{event=\"cpu\"} 0.02",
                   "cpu_seconds_total{event=\"cpu\"} 0.05", "pause_ratio{event=\"cpu\"} 0.0016"}));
  session.quality.process_cpu_ns = 200'000'000;
  EXPECT_EQ(after(metrics_text({session}), "hearth_gc_cpu_ratio{event=\"cpu\"} "), Lines{"0.25"});
}

TEST(MetricsText, PrintsTheRateOfAllocation) {
  SessionFigures session = figures();
  EXPECT_TRUE(after(metrics_text({session}), "hearth_allocated_bytes").empty());
  session.quality.allocated_bytes = 12500;
  EXPECT_EQ(after(metrics_text({session}), "hearth_allocated_bytes"),
            (Lines{"_total{event=\"cpu\"} 12500", "_per_second{event=\"cpu\"} 1000"}));
}

TEST(MetricsText, LostWeightHasTheUnitOfItsEvent) {
  SessionFigures session = figures();
  session.lost_weights = {{"cpu", 20'000'000}};
  std::string cpu = metrics_text({session});
  EXPECT_EQ(after(cpu, "hearth_lost_seconds_total"), Lines{"{event=\"cpu\",lost=\"cpu\"} 0.02"});
  EXPECT_TRUE(after(cpu, "hearth_lost_bytes_total").empty());

  session.lost_weights["alloc"] = 4096;
  session.quality.allocated_bytes = 1 << 20;
  std::string both = metrics_text({session});
  EXPECT_EQ(after(both, "hearth_lost_seconds_total"), Lines{"{event=\"cpu\",lost=\"cpu\"} 0.02"});
  EXPECT_EQ(after(both, "hearth_lost_bytes_total"), Lines{"{event=\"cpu\"} 4096"});

  session.lost_weights.erase("cpu");
  session.quality.allocated_bytes = 0;  // an allocation session at its very begin
  std::string alloc = metrics_text({session});
  EXPECT_TRUE(after(alloc, "hearth_lost_seconds_total").empty());
  EXPECT_EQ(after(alloc, "hearth_lost_bytes_total"), Lines{"{event=\"cpu\"} 4096"});
}

TEST(MetricsText, WithoutASessionOnlyTheAgent) {
  std::string text = metrics_text({});
  EXPECT_EQ(after(text, "hearth_session_running "), Lines{"0"});
  EXPECT_EQ(after(text, "hearth_build_info{version=").size(), 1u);
  EXPECT_TRUE(after(text, "hearth_samples_total").empty());
}

TEST(MetricsText, EveryLineIsOfTheFormat) {
  const std::regex sample(
      R"re(([a-z_]+?)(_sum|_count)?(\{[a-z]+="([^"\\]|\\.)*"(,[a-z]+="([^"\\]|\\.)*")*\})? [0-9][0-9.e-]*)re");
  std::istringstream lines(metrics_text({figures()}));
  std::string family;
  std::set<std::string> families;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string hash;
    std::string what;
    if (line[0] == '#') {
      words >> hash >> what >> family;
      bool is_new = what != "HELP" || families.insert(family).second;
      EXPECT_TRUE(is_new) << "twice: " << family;
      continue;
    }
    EXPECT_TRUE(std::regex_match(line, sample)) << line;
    EXPECT_EQ(line.compare(0, family.size(), family), 0) << line << " under " << family;
  }
  EXPECT_GT(families.size(), 10u);
}

TEST(MetricsText, MemoryByPart) {
  AgentFigures agent;
  agent.memory_bytes = {{"server", 10}, {"tree", 4096}};
  std::string text = metrics_text({}, agent);
  EXPECT_EQ(after(text, "hearth_memory_bytes"), (Lines{"{part=\"server\"} 10", "{part=\"tree\"} 4096"}));
  EXPECT_TRUE(after(text, "hearth_store").empty());
  agent.store = {3, 1000, 2};
  EXPECT_EQ(after(metrics_text({}, agent), "hearth_store_"), (Lines{"profiles 3", "bytes 1000", "dropped_total 2"}));
}

TEST(MetricsText, TheStoreThatIsAlwaysOn) {
  AgentFigures agent;
  EXPECT_TRUE(after(metrics_text({figures()}, agent), "hearth_always_on_windows_total").empty());
  agent.always_on = always_on::AlwaysOnFigures();
  agent.always_on->written = 12;
  agent.always_on->lost = 2;
  agent.always_on->bytes = 345;
  agent.always_on->cost = 0.0125;
  agent.always_on->slowdown = 4;
  std::string text = metrics_text({figures()}, agent);
  using Found = std::multiset<std::string>;
  EXPECT_EQ(after(text, "hearth_always_on_windows_total "), Found{"12"});
  EXPECT_EQ(after(text, "hearth_always_on_windows_lost_total "), Found{"2"});
  EXPECT_EQ(after(text, "hearth_always_on_bytes "), Found{"345"});
  EXPECT_EQ(after(text, "hearth_always_on_cost_ratio "), Found{"0.0125"});
  EXPECT_EQ(after(text, "hearth_always_on_slowdown "), Found{"4"});
}

TEST(MetricsText, SessionsAreLabelledByEventAndName) {
  SessionFigures named = figures(), ended = figures(), of_client = figures();
  named.name = "web";
  ended.event = "wall";
  ended.running = false;
  of_client.name = ".hearth-17";
  std::string text = metrics_text({figures(), named, ended, of_client});
  EXPECT_EQ(after(text, "hearth_samples_total"), (Lines{"{event=\"cpu\"} 100", "{event=\"cpu\",name=\"web\"} 100"}));
  EXPECT_EQ(after(text, "# TYPE hearth_samples_total").size(), 1u);
  EXPECT_EQ(after(text, "hearth_client_sessions "), Lines{"1"});
  EXPECT_EQ(after(metrics_text({ended}), "hearth_session_running "), Lines{"0"});
}

}  // namespace
}  // namespace hearth::commands
