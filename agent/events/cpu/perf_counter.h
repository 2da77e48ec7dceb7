// Events that perf_events count for a thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "events/event_source.h"
#include "options/events/counter_names.h"

namespace hearth::events {

// As perf_event_attr has it.
struct PerfCounter {
  std::string name;  // in messages
  uint32_t type = 0;
  uint64_t config = 0;
  uint64_t config1 = 0, config2 = 0;
  bool is_of_kernel = false;             // user code has none of them
  uint32_t breakpoint = 0;               // its accesses, as HW_BREAKPOINT_RW; 0: it is none
  std::shared_ptr<std::string> place{};  // of a probe: config1 points to it, unless it is null
  bool is_probe() const { return place != nullptr; }
};

// The address of a function or a variable of a loaded library; `library`: its file's name or path, "" for any. None:
// there is no such one.
using SymbolFinder = std::function<std::optional<uintptr_t>(const std::string& library, const std::string& name)>;

// Of a counter's name in any shape of options/events/counter_names.h. Throws Error for one that this machine does not
// have, with what it has.
PerfCounter perf_counter_of(const std::string& name, const SymbolFinder& find_symbol);

// The rows of options/events/counter_names.h that can be counted here.
std::vector<const options::CounterRow*> counters_here();

// Samples each `interval` counts of a thread; the weight is the number of counts. Without kernel stacks it refuses,
// unless only user code is counted. The first sample of a thread comes after `shortest_period` counts at least.
std::unique_ptr<EventSource> make_perf_counter(const PerfCounter& counter, const PerfChoice& choice = {},
                                               int64_t shortest_period = 1);

// An interrupt takes about 30 us in a guest on a busy host. A thread that gets the next one within that time runs
// neither its handler, which would set the event's interval, nor anything else. Disabling the event until the handler
// has run is no option: PERF_EVENT_IOC_REFRESH of a CPU clock hangs Linux 6.16 and 6.17 (async-profiler, issue 1578).
inline constexpr int64_t kShortestPerfPeriodNs = 100'000;

inline constexpr const char* kPerfEngine = "perf_events";

}  // namespace hearth::events
