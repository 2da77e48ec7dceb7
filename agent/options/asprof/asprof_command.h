// Commands in the language of async-profiler: its words, units and defaults, translated into hearth's options. For
// clients that load the agent under async-profiler's names. Pure text work, knows no JVM.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "options/options.h"

namespace hearth::options {

// Before a command in this language where hearth's own would be understood as well.
inline constexpr std::string_view kAsprofMark = "asprof,";

// The session that all commands of async-profiler mean: it has one profiler in a process.
inline constexpr std::string_view kAsprofSession = "asprof";

enum class AsprofAction { kNone, kStart, kResume, kStop, kDump, kStatus, kMetrics, kList, kVersion };

struct AsprofCommand {
  AsprofAction action = AsprofAction::kNone;
  Options options;          // of hearth's start, stop, dump, status or metrics of that session
  bool has_output = false;  // a format or a file was named: otherwise a stop writes nothing
  bool is_quiet = false;
  std::vector<std::string> ignored;  // for the log: each word without effect, and why
};

// Throws Error for a value that cannot be read, and for an option that hearth lacks: with what to do instead.
AsprofCommand parse_asprof_command(std::string_view text);

// The command of AsprofProfiler.start() and resume(): `interval` is in the event's unit, 0 or less for the default.
AsprofCommand asprof_start_command(const std::string& event, int64_t interval, bool resumes);

}  // namespace hearth::options
