// What the kernel tells about one process. Facts are read once; a process may end at any time after.
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
  uint64_t start_time = 0;             // clock ticks since boot: tells it from a later process with the same pid
  std::string comm;                    // the kernel's short name, without control characters
  std::vector<std::string> arguments;  // argv; empty for kernel threads
};

// Throws Error when there is no such process, when it has ended, or when `pid` is a thread of another process.
Process read_process(pid_t pid);

// False once the process has ended, even if its pid was given to another one since.
bool is_alive(const Process& process);

// Fills what the text of /proc/PID/status says; what it does not say stays as it was.
void parse_status(std::string_view status, Process* process);
// The start time in the text of /proc/PID/stat, 0 when it is not there. The process's name may hold blanks and
// parentheses.
uint64_t start_time_in(std::string_view stat);
// The text of /proc/PID/cmdline or /proc/PID/environ: words that each end in a NUL.
std::vector<std::string> split_words(std::string_view text);
// The words of such a file, as far as a process can be started with them. Throws FileError.
std::vector<std::string> words_in(const std::string& path);

std::string user_name(uid_t uid);  // the number when it has no name

}  // namespace hearth::launcher
