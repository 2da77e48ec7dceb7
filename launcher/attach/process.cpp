#include "launcher/attach/process.h"

#include <pwd.h>

#include <csignal>
#include <cstdlib>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "base/process_stat.h"
#include "base/text_parts.h"
#include "profile/codec/utf8.h"

namespace hearth::launcher {
namespace {

constexpr size_t kMostOfKernel = size_t{1} << 20;  // the longest line has 65,536 groups
constexpr size_t kMostWords = size_t{8} << 20;     // execve(2) takes 6 MiB; a process can point the kernel at more

template <typename Number>
Number to_number(std::string_view text, int base = 10) {
  return static_cast<Number>(std::strtoull(std::string(text).c_str(), nullptr, base));
}

}  // namespace

void parse_status(std::string_view status, Process* process) {
  std::istringstream lines{std::string(status)};
  for (std::string line; std::getline(lines, line);) {
    size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::string key = line.substr(0, colon);
    std::vector<std::string_view> values = words_of(std::string_view(line).substr(colon + 1));
    if (key == "Groups") {
      for (std::string_view group : values) process->groups.push_back(to_number<gid_t>(group));
    }
    if (values.empty()) continue;
    if (key == "State") process->state = values[0][0];
    if (key == "Tgid") process->thread_group = to_number<pid_t>(values[0]);
    if (key == "NSpid") process->inner_pid = to_number<pid_t>(values.back());
    if (key == "Uid" && values.size() > 1) process->uid = to_number<uid_t>(values[1]);
    if (key == "Gid" && values.size() > 1) process->gid = to_number<gid_t>(values[1]);
    if (key == "SigCgt") process->catches_sigquit = (to_number<uint64_t>(values[0], 16) >> (SIGQUIT - 1) & 1) != 0;
  }
}

uint64_t start_time_in(std::string_view stat) {
  std::vector<std::string_view> fields = stat_fields(stat);
  return fields.size() > kStatStartTime ? to_number<uint64_t>(fields[kStatStartTime]) : 0;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    size_t end = text.find('\0');
    words.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return words;
}

std::vector<std::string> words_in(const std::string& path) {
  return split_words(read_file(path, kMostWords));
}

Process read_process(pid_t pid) {
  Process process;
  process.pid = process.inner_pid = process.thread_group = pid;
  std::string place = formatted("/proc/{}/", pid);
  try {
    parse_status(read_file(place + "status", kMostOfKernel), &process);
    process.start_time = start_time_in(read_file(place + "stat", kMostOfKernel));
    process.comm = read_file(place + "comm", kMostOfKernel);
    process.arguments = words_in(place + "cmdline");
  } catch (const Error&) {
    throw Error(formatted("there is no process {}", pid), "hearth list shows the JVMs of this machine");
  }
  if (!process.comm.empty() && process.comm.back() == '\n') process.comm.pop_back();
  process.comm = profile::shown_text(process.comm);
  if (process.state == 'Z') throw Error(formatted("process {} has ended", pid), "hearth list shows the running JVMs");
  if (process.thread_group != pid)
    throw Error(formatted("{} is a thread of process {}", pid, process.thread_group),
                formatted("give {} instead", process.thread_group));
  return process;
}

bool is_alive(const Process& process) {
  try {
    std::string stat = read_file(formatted("/proc/{}/stat", process.pid), kMostOfKernel);
    size_t after_name = stat.rfind(')');
    bool ended = after_name != std::string::npos && stat.compare(after_name, 3, ") Z") == 0;
    return !ended && start_time_in(stat) == process.start_time;
  } catch (const Error&) {
    return false;
  }
}

std::string user_name(uid_t uid) {
  const passwd* entry = ::getpwuid(uid);
  return entry == nullptr ? formatted("{}", uid) : entry->pw_name;
}

}  // namespace hearth::launcher
