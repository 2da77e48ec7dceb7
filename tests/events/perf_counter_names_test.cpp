// Counters by their names: what perf_events are asked to count.
#include <gtest/gtest.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "events/cpu/perf_counter.h"
#include "events/cpu/pmu.h"

namespace hearth::events {
namespace {

int g_variable = 0;

std::optional<uintptr_t> find(const std::string& library, const std::string& name) {
  if (name == "here" && library.empty()) return reinterpret_cast<uintptr_t>(&find);
  if (name == "variable") return reinterpret_cast<uintptr_t>(&g_variable);
  return std::nullopt;
}

std::string refusal_of(const std::string& name) {
  try {
    perf_counter_of(name, find);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(PerfCounterNames, CountersHaveTheKernelsNumbers) {
  PerfCounter cycles = perf_counter_of("cycles", find);
  EXPECT_EQ(cycles.type, static_cast<uint32_t>(PERF_TYPE_HARDWARE));
  EXPECT_EQ(cycles.config, static_cast<uint64_t>(PERF_COUNT_HW_CPU_CYCLES));
  EXPECT_FALSE(cycles.is_of_kernel);
  EXPECT_EQ(perf_counter_of("LLC-load-misses", find).config, 0x10002U);
  EXPECT_EQ(perf_counter_of("r1A8", find).config, 0x1a8U);
  EXPECT_EQ(perf_counter_of("r1A8", find).type, static_cast<uint32_t>(PERF_TYPE_RAW));
  EXPECT_TRUE(perf_counter_of("cpu-migrations", find).is_of_kernel);
}

TEST(PerfCounterNames, FunctionsAndMemoryAreBreakpoints) {
  PerfCounter function = perf_counter_of("here", find);
  EXPECT_EQ(function.type, static_cast<uint32_t>(PERF_TYPE_BREAKPOINT));
  EXPECT_EQ(function.config1, reinterpret_cast<uintptr_t>(&find));
  EXPECT_EQ(function.breakpoint, static_cast<uint32_t>(HW_BREAKPOINT_X));
  PerfCounter memory = perf_counter_of("mem:variable+2/2:w", find);
  EXPECT_EQ(memory.config1, reinterpret_cast<uintptr_t>(&g_variable) + 2);
  EXPECT_EQ(memory.config2, 2U);
  EXPECT_EQ(memory.breakpoint, static_cast<uint32_t>(HW_BREAKPOINT_W));
  EXPECT_EQ(perf_counter_of("mem:0x1000", find).breakpoint, static_cast<uint32_t>(HW_BREAKPOINT_RW));
  EXPECT_NE(refusal_of("mem:0x1000/3").find("1, 2, 4 or 8 bytes"), std::string::npos);
  EXPECT_NE(refusal_of("mem:0x1000:q").find("write r, w, rw or x"), std::string::npos);
  EXPECT_NE(refusal_of("mem:0xyz").find("is no address"), std::string::npos);
  EXPECT_NE(refusal_of("mem:nothing").find("has a function nothing"), std::string::npos);
}

TEST(PerfCounterNames, ProbesAreInFiles) {
  if (!Pmu("uprobe").type()) GTEST_SKIP() << refusal_of("uprobe:here");
  PerfCounter probe = perf_counter_of("uprobe:here", find);
  ASSERT_TRUE(probe.is_probe());
  EXPECT_EQ(*probe.place, "/proc/self/exe");
  EXPECT_GT(probe.config2, 0U);
  EXPECT_EQ(probe.config, 0U);
  EXPECT_NE(perf_counter_of("uretprobe:here", find).config, 0U) << "the bit of returns";
  EXPECT_NE(refusal_of("uprobe:variable").find("no function in a file"), std::string::npos);
  EXPECT_NE(refusal_of("uprobe:/lib/x.so+0x100").find("no loaded library"), std::string::npos)
      << "an instruction's beginning is known of functions alone";
  EXPECT_NE(refusal_of("uprobe:libx.so:here").find("no loaded library libx.so has a function here"), std::string::npos);
}

TEST(PerfCounterNames, WhatIsMissingIsNamed) {
  EXPECT_EQ(refusal_of("cpuu"),
            "cpuu is no event, and no loaded library has a function of that name; did you mean cpu?");
  EXPECT_NE(refusal_of("software/config=3/").find("names of their own"), std::string::npos);
  EXPECT_NE(refusal_of("no_such_unit/x/").find("no unit no_such_unit"), std::string::npos);
  std::string tracepoint = refusal_of("nothing:nowhere");
  EXPECT_TRUE(tracepoint.find("no such tracepoint") != std::string::npos ||
              tracepoint.find("mount -t tracefs") != std::string::npos)
      << tracepoint;
}

TEST(PerfCounterNames, OnlyThoseOfThisMachineAreListed) {
  for (const options::CounterRow* row : counters_here()) EXPECT_NO_THROW(perf_counter_of(row->name, find)) << row->name;
}

}  // namespace
}  // namespace hearth::events
