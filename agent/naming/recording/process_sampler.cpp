#include "naming/recording/process_sampler.h"

#include <dirent.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <ctime>
#include <memory>

#include "base/clocks.h"
#include "base/files.h"
#include "base/formatted.h"
#include "base/process_stat.h"

namespace hearth::naming {
namespace {

using profile::jfr::TypeId;

constexpr double kLeastShare = 0.05;  // of a CPU, or of the memory
constexpr size_t kMostProcesses = 5000;
constexpr int64_t kKibi = 1024;

// Empty where it has ended, or is another user's.
std::string content_of(pid_t pid, const char* name) {
  return read_if_readable(formatted("/proc/{}/{}", pid, name));
}

std::vector<pid_t> processes() {
  std::vector<pid_t> pids;
  std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc"), ::closedir);
  if (folder == nullptr) return pids;
  while (const dirent* entry = ::readdir(folder.get()))
    if (std::isdigit(static_cast<unsigned char>(entry->d_name[0])) != 0 && pids.size() < kMostProcesses)
      pids.push_back(static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10)));
  return pids;
}

// The number behind "KEY:" at the start of a line; 0: there is none.
int64_t number_of(const std::string& text, const std::string& key) {
  size_t at = text.compare(0, key.size(), key) == 0 ? 0 : text.find("\n" + key);
  if (at == std::string::npos) return 0;
  return std::strtoll(text.c_str() + text.find(':', at) + 1, nullptr, 10);
}

double seconds_of(int64_t clock_ticks) {
  return static_cast<double>(clock_ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

void read_details(ProcessFigures* figures) {
  figures->command_line = content_of(figures->pid, "cmdline");
  while (!figures->command_line.empty() && figures->command_line.back() == '\0') figures->command_line.pop_back();
  std::replace(figures->command_line.begin(), figures->command_line.end(), '\0', ' ');
  std::string io = content_of(figures->pid, "io");  // only of processes of the same user
  figures->read = number_of(io, "read_bytes:");
  figures->written = number_of(io, "write_bytes:");
}

// The time of the machine's start, in milliseconds since 1970.
int64_t machine_start_ms() {
  constexpr int64_t kMilliNs = 1'000'000;
  return (clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_BOOTTIME)) / kMilliNs;
}

int64_t memory_of_machine() {
  struct sysinfo info {};
  return ::sysinfo(&info) == 0 ? static_cast<int64_t>(info.totalram) * info.mem_unit : 0;
}

void put_event(const ProcessFigures& one, double cpu_share, int64_t ticks, profile::jfr::ChunkWriter* chunk) {
  constexpr double kMilli = 1000;
  auto started = static_cast<int64_t>(seconds_of(static_cast<int64_t>(one.start_ticks)) * kMilli);
  chunk->event(TypeId::kProcessSample, {ticks,
                                        int64_t{one.pid},
                                        int64_t{one.parent},
                                        std::string_view(one.name),
                                        std::string_view(one.command_line),
                                        one.uid,
                                        int64_t{one.state},
                                        machine_start_ms() + started,
                                        one.user,
                                        one.system,
                                        cpu_share,
                                        one.threads,
                                        one.size,
                                        one.resident,
                                        one.anonymous,
                                        one.files,
                                        one.shared,
                                        one.minor_faults,
                                        one.major_faults,
                                        one.read,
                                        one.written});
}

}  // namespace

bool parse_process(const std::string& stat, const std::string& status, ProcessFigures* figures) {
  std::vector<std::string_view> fields = stat_fields(stat);
  size_t open = stat.find('('), close = stat.rfind(')');
  if (open == std::string::npos || close < open || fields.size() <= kStatStartTime) return false;
  figures->name = stat.substr(open + 1, close - open - 1);
  // The text of all fields ends with a zero.
  auto number = [&](StatField field) { return std::strtoll(fields[field].data(), nullptr, 10); };
  figures->state = fields[kStatState][0];
  figures->parent = static_cast<pid_t>(number(kStatParent));
  figures->minor_faults = number(kStatMinorFaults);
  figures->major_faults = number(kStatMajorFaults);
  figures->threads = number(kStatThreads);
  figures->start_ticks = static_cast<uint64_t>(number(kStatStartTime));
  figures->user = seconds_of(number(kStatUserTime));
  figures->system = seconds_of(number(kStatSystemTime));
  figures->uid = number_of(status, "Uid:");
  figures->size = number_of(status, "VmSize:") * kKibi;
  figures->resident = number_of(status, "VmRSS:") * kKibi;
  figures->anonymous = number_of(status, "RssAnon:") * kKibi;
  figures->files = number_of(status, "RssFile:") * kKibi;
  figures->shared = number_of(status, "RssShmem:") * kKibi;
  return true;
}

void ProcessSampler::put(profile::jfr::ChunkWriter* chunk, int64_t ticks) {
  constexpr double kSecondNs = 1e9;
  double elapsed = static_cast<double>(ticks - last_ticks_) / kSecondNs;
  auto least_resident = static_cast<int64_t>(kLeastShare * static_cast<double>(memory_of_machine()));
  std::map<pid_t, Last> now;
  for (pid_t pid : processes()) {
    ProcessFigures figures;
    figures.pid = pid;
    if (!parse_process(content_of(pid, "stat"), content_of(pid, "status"), &figures)) continue;
    double cpu = figures.user + figures.system;
    now[pid] = {figures.start_ticks, cpu};
    auto before = last_.find(pid);
    if (before == last_.end() || before->second.start_ticks != figures.start_ticks || elapsed <= 0) continue;
    double share = (cpu - before->second.cpu) / elapsed;
    if (share < kLeastShare && (figures.resident == 0 || figures.resident < least_resident)) continue;
    read_details(&figures);
    put_event(figures, share, ticks, chunk);
  }
  last_ = std::move(now);
  last_ticks_ = ticks;
}

}  // namespace hearth::naming
