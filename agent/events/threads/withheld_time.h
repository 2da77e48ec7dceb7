// Time that the machine withholds from threads that want a CPU: the limit of a cgroup on CPU time (cgroups(7),
// cpu.stat) and, in a virtual machine, its host (proc_stat(5), steal). Needs no rights. Not thread safe, not signal
// safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::events {

// Sums from the first reading on, of a thread that wants a CPU all the time.
struct WithheldSums {
  uint64_t at_ns = 0;        // CLOCK_MONOTONIC: the time of the last reading; 0: none
  int64_t throttled_ns = 0;  // by cgroups
  int64_t stolen_ns = 0;     // by the host; of the time on a CPU
};

// What the kernel has counted so far.
struct WithheldCounts {
  struct Group {
    int64_t throttled_ns = 0;  // of all CPUs together
    int64_t used_ns = -1;      // CPU time; -1: it is not told
  };
  std::vector<Group> groups;   // the process's cgroup and those above it
  int64_t process_cpu_ns = 0;  // in place of a CPU time that is not told
  int64_t stolen_ticks = 0;    // of all CPUs together, as the next
  int64_t busy_ticks = 0;      // without the stolen ones
};

class WithheldTime {
 public:
  // Reads the counts, at most once a second. Returns the sums up to then.
  const WithheldSums& at(uint64_t now_ns);
  // The sums up to `now_ns`, none before the first reading. Does not count as a reading.
  WithheldSums up_to(uint64_t now_ns) const;

 private:
  WithheldCounts read() const;

  std::vector<std::string> files_;  // cpu.stat of each cgroup
  uint64_t began_ns_ = 0;           // the first reading
  WithheldCounts counts_;           // of the last reading
  WithheldSums sums_;
};

// What is withheld between two moments, CLOCK_MONOTONIC; before the first one and after the second one nothing is.
class WithheldMeter {
 public:
  void begin(uint64_t now_ns) { time_.at(now_ns); }
  void end(uint64_t now_ns) { at_end_ = sums(now_ns); }
  WithheldSums sums(uint64_t now_ns) const { return at_end_.at_ns != 0 ? at_end_ : time_.up_to(now_ns); }

 private:
  WithheldTime time_;
  WithheldSums at_end_;
};

// Adds what was withheld in `time_ns` between two counts.
//
// A group that is throttled for T on all CPUs together and used C there had (C + T) / time CPUs that ran or were
// throttled, so a thread that wants one is throttled for a share of T / (C + T) of the time.
void add_withheld(const WithheldCounts& before, const WithheldCounts& after, int64_t time_ns, WithheldSums* sums);

// Paths of cpu.stat, from the process's cgroup outwards. `groups`: /proc/self/cgroup; `mounts`: /proc/self/mountinfo.
std::vector<std::string> cpu_stat_files(std::string_view groups, std::string_view mounts);
// The text of cpu.stat of either version of cgroups.
WithheldCounts::Group parse_cpu_stat(std::string_view text);
// Reads the sum of all CPUs from the text of /proc/stat.
void parse_stolen(std::string_view text, WithheldCounts* counts);

}  // namespace hearth::events
