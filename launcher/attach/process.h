// The kernel's facts about one process. They are read once; the process may end at any time after that.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::launcher {

struct Process {
  pid_t pid = 0;              // as the launcher sees it
  pid_t inner_pid = 0;        // as the process sees itself: in its innermost pid namespace
  pid_t thread_group = 0;     // differs from pid when pid is a thread
  uid_t uid = 0;              // effective
  gid_t gid = 0;              // effective
  std::vector<gid_t> groups;  // supplementary
  char state = '?';           // R, S, T (stopped), Z (ended), … as in proc(5)
  bool catches_sigquit = false;
  uint64_t start_time = 0;             // clock ticks since boot: differs from that of a later process with the same pid
  std::string comm;                    // the kernel's short name, without control characters
  std::vector<std::string> arguments;  // argv; empty for kernel threads
};

// Throws Error if the process does not exist or has ended, or if `pid` is a thread of another process.
Process read_process(pid_t pid);

// False once the process has ended, even if its pid was given to another one since.
bool is_alive(const Process& process);

// Sets the fields that the text of /proc/PID/status has and leaves the others.
void parse_status(std::string_view status, Process* process);
// The start time in the text of /proc/PID/stat, 0 if it is missing. The process's name may contain blanks and
// parentheses.
uint64_t start_time_in(std::string_view stat);
// The text of /proc/PID/cmdline or /proc/PID/environ: words that each end in a NUL.
std::vector<std::string> split_words(std::string_view text);
// The words of such a file, up to the longest that a process can be started with. Throws FileError.
std::vector<std::string> words_in(const std::string& path);

std::string user_name(uid_t uid);  // the number if it has no name

}  // namespace hearth::launcher
