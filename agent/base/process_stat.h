// The fields of /proc/PID/stat. Any thread.
#pragma once

#include <string_view>
#include <vector>

namespace hearth {

// Places of fields in stat_fields() (proc_pid_stat(5) counts from 1, and these from its third field).
enum StatField : size_t {
  kStatState = 0,
  kStatParent = 1,
  kStatMinorFaults = 7,
  kStatMajorFaults = 9,
  kStatUserTime = 11,
  kStatSystemTime = 12,
  kStatThreads = 17,
  kStatStartTime = 19  // in clock ticks since the machine's start
};

// Returns the fields behind the name of a process, which may contain blanks and parentheses; none where the line has no
// name. They refer to `stat`.
std::vector<std::string_view> stat_fields(std::string_view stat);

}  // namespace hearth
