// Time that the machine withholds from threads that want a CPU: the limit of a cgroup on CPU time (cgroups(7),
// cpu.stat) and, in a virtual machine, its host (proc_stat(5), steal). Needs no rights. Not thread safe, not signal
// safe.
#pragma once

#include <cstdint>
#include <optional>
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

// Reads the counts. One that cannot be read keeps the value that it has in `counts`.
class WithheldFiles {
 public:
  void find();
  WithheldCounts read(WithheldCounts counts) const;

 private:
  std::vector<std::string> of_groups_;  // cpu.stat of each
};

class WithheldTime {
 public:
  // Reads the counts, at most once a second. Returns the sums up to then.
  const WithheldSums& at(uint64_t now_ns);

 private:
  WithheldFiles files_;
  uint64_t began_ns_ = 0;  // the first reading
  WithheldCounts counts_;  // of the last reading
  WithheldSums sums_;
};

// Parts of a time; the shares are those of the time in which threads wanted a CPU.
struct Withheld {
  double throttled_share = 0;
  int64_t throttled_ns = 0;  // of all CPUs together
  double stolen_share = 0;
  int64_t stolen_ns = 0;  // of all CPUs together
};

// What is withheld from begin() on, until end() if that was called.
class WithheldMeter {
 public:
  void begin();
  void end();
  Withheld so_far() const;

 private:
  WithheldFiles files_;
  bool has_begun_ = false;
  WithheldCounts at_begin_;
  std::optional<Withheld> at_end_;
};

Withheld withheld_between(const WithheldCounts& before, const WithheldCounts& after);

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
