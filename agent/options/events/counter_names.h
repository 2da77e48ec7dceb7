// Events that perf_events count for a thread, by the names of perf and of async-profiler: counters of the kernel and of
// the processor, and probes of kernel, libraries and memory. Which of them there are on a machine is known only where
// they start (events/counters/).
#pragma once

#include <linux/perf_event.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hearth::options {

// An event of a session by its name as typed; unit: count.
struct CounterEvent {
  std::string name;
  int64_t interval;
};

inline constexpr int64_t kLongestCounterInterval = 1'000'000'000'000;

struct CounterRow {
  const char* name;
  int64_t usual;  // interval
  uint32_t type;  // both as in perf_event_attr
  uint64_t config;
  const char* words;
};

// A cache's event, as perf_event_attr.config numbers it (perf_event_open(2)).
constexpr uint64_t cache_event(uint64_t cache, uint64_t operation, uint64_t result) {
  return cache | operation << 8 | result << 16;
}
inline constexpr uint64_t kReadMisses = cache_event(0, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS);

// Page faults and context switches have rows of their own (event_rows.h).
inline constexpr std::array kCounterRows = {
    CounterRow{"minor-faults", 1, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, "page faults without a read"},
    CounterRow{"major-faults", 1, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, "page faults that read a disk"},
    CounterRow{"cpu-migrations", 1, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, "moves to another CPU"},
    CounterRow{"alignment-faults", 1, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS,
               "memory accesses that the kernel had to align"},
    CounterRow{"cycles", 1'000'000, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, "cycles of the processor"},
    CounterRow{"ref-cycles", 1'000'000, PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES,
               "cycles at the processor's nominal rate"},
    CounterRow{"bus-cycles", 1'000'000, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES, "cycles of the bus"},
    CounterRow{"instructions", 1'000'000, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, "instructions that ended"},
    CounterRow{"branch-instructions", 1'000'000, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "branches"},
    CounterRow{"branch-misses", 1'000, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES,
               "branches that were predicted wrongly"},
    CounterRow{"cache-references", 1'000'000, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES,
               "accesses of the last cache"},
    CounterRow{"cache-misses", 1'000, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, "misses of the last cache"},
    CounterRow{"L1-dcache-load-misses", 1'000'000, PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_L1D | kReadMisses,
               "reads that missed the first cache"},
    CounterRow{"LLC-load-misses", 1'000, PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_LL | kReadMisses,
               "reads that missed the last cache"},
    CounterRow{"dTLB-load-misses", 1'000, PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_DTLB | kReadMisses,
               "reads whose page's address was not at hand"},
};

// The shapes of other names, for lists of events.
struct CounterShape {
  const char* name;
  const char* words;
};
inline constexpr std::array kCounterShapes = {
    CounterShape{"rNNN", "a counter by the processor's own number, in hexadecimal"},
    CounterShape{"PMU/EVENT/", "a counter of a unit in /sys/bus/event_source/devices, as perf writes it"},
    CounterShape{"SUBSYS:NAME", "a tracepoint of the kernel, as sched:sched_switch"},
    CounterShape{"kprobe:FUNCTION[+OFFSET]", "calls of a function of the kernel; kretprobe: its returns"},
    CounterShape{"uprobe:LIBRARY:FUNCTION", "calls of a function of a library; uretprobe: its returns"},
    CounterShape{"mem:ADDRESS[/LENGTH][:rwx]", "accesses to memory, by an address or the name of a variable"},
    CounterShape{"FUNCTION", "calls of a native function, by its name"},
};

// Null for names that are no row, also where they have the shape of another counter.
const CounterRow* counter_row(std::string_view name);
// Whether the name is a row or has the shape of another counter, except a function's.
bool is_counter_name(std::string_view name);
// Whether it could be that of a native function, as "G1CollectedHeap::collect".
bool is_function_name(std::string_view name);
// A signal ends a thread's wait, whose system call begins again, and a handler makes some calls of its own: a sample of
// each one would cause the next.
int64_t least_interval(std::string_view counter);
int64_t usual_interval(std::string_view counter);
// Of a number with k, m or g. Null: it is no interval.
std::optional<int64_t> counter_interval(std::string_view text);

}  // namespace hearth::options
