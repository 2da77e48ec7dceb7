#include "options/flight_triggers.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hearth::options {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(FlightTriggers, ReadsConditions) {
  std::vector<FlightTrigger> all = parse_flight_triggers("cpu>90%|alloc>1g/s|gc>30%|oom|deadlock|signal");
  ASSERT_EQ(all.size(), 6u);
  EXPECT_DOUBLE_EQ(all[0].limit, 0.9);
  EXPECT_DOUBLE_EQ(all[1].limit, 1 << 30);
  EXPECT_EQ(all[3].kind, FlightTrigger::Kind::kOutOfMemory);
  for (const char* wrong : {"", "cpu", "cpu>", "cpu>90", "cpu>0%", "cpu>101%", "alloc>1g", "oom>3", "hot", "cpu>90%|",
                            "latency>1s", "latency:>1s", "latency:endpoint", "cpu:x>1%"})
    EXPECT_THROW(parse_flight_triggers(wrong), Error) << wrong;
}

// Of one CPU out of two, second by second.
std::vector<std::string> reasons(const char* triggers, int64_t seconds, int64_t cpu_ns_a_second) {
  FlightTriggers watched(parse_flight_triggers(triggers));
  std::vector<std::string> given;
  FlightReadings now;
  now.cpus = 2;
  for (int64_t second = 0; second < seconds; second++) {
    now.time_ns += kSecond;
    now.cpu_ns += cpu_ns_a_second;
    if (auto reason = watched.reason(now)) given.push_back(*reason);
  }
  return given;
}

TEST(FlightTriggers, ARateIsOneOverSeconds) {
  EXPECT_TRUE(reasons("cpu>90%", 100, kSecond).empty());
  EXPECT_TRUE(reasons("cpu>90%", 5, 2 * kSecond).empty());  // not long enough
  std::vector<std::string> given = reasons("cpu>90%", 100, 2 * kSecond);
  ASSERT_EQ(given.size(), 1u);
  EXPECT_EQ(given[0], "cpu>90%: 100 % of 2 CPUs");
}

TEST(FlightTriggers, ALastingConditionTriggersAgainOnlyMuchLater) {
  EXPECT_EQ(reasons("cpu>90%", 599, 2 * kSecond).size(), 1u);
  EXPECT_EQ(reasons("cpu>90%", 700, 2 * kSecond).size(), 2u);
}

TEST(FlightTriggers, EventsAreCountedSinceTheReadingsBefore) {
  FlightTriggers watched(parse_flight_triggers("signal|oom|deadlock"));
  FlightReadings now;
  now.signals = 3;
  EXPECT_FALSE(watched.reason(now));
  now.signals = 4;
  EXPECT_EQ(watched.reason(now).value_or(""), "signal: SIGUSR1");
  EXPECT_FALSE(watched.reason(now));
  now.signals = 5;
  EXPECT_TRUE(watched.reason(now));  // whoever asks again gets it again
  now.deadlocked_threads = 2;
  EXPECT_EQ(watched.reason(now).value_or(""), "deadlock: 2 threads");
  EXPECT_FALSE(watched.reason(now));
}

TEST(FlightTriggers, LatencyIsOfOneLabel) {
  FlightTriggers watched(parse_flight_triggers("latency:endpoint>500ms"));
  FlightReadings now;
  now.slowest["tenant"] = {"a", 900'000'000};
  now.slowest["endpoint"] = {"/quick", 400'000'000};
  EXPECT_FALSE(watched.reason(now));
  now.slowest["endpoint"] = {"/slow", 700'000'000};
  EXPECT_EQ(watched.reason(now).value_or(""), "latency:endpoint>500ms: /slow took 700 ms");
}

TEST(FlightTriggers, AnEarlierDeadlockIsReportedAsWell) {
  FlightTriggers watched(parse_flight_triggers("deadlock"));
  FlightReadings now;
  now.deadlocked_threads = 2;
  EXPECT_TRUE(watched.reason(now));
}

}  // namespace
}  // namespace hearth::options
