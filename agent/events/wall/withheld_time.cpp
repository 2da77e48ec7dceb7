#include "events/wall/withheld_time.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <utility>

#include "base/clocks.h"
#include "base/files.h"

namespace hearth::events {
namespace {

constexpr uint64_t kPeriodNs = 1'000'000'000;

// Takes the text up to the separator from the front of `rest`.
std::string_view take(std::string_view* rest, char separator) {
  size_t end = std::min(rest->find(separator), rest->size());
  std::string_view taken = rest->substr(0, end);
  rest->remove_prefix(std::min(end + 1, rest->size()));
  return taken;
}

int64_t number_in(std::string_view text) {
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty())
    if (take(&list, ',') == word) return true;
  return false;
}

struct Mount {
  std::string_view root;  // the cgroup that is there
  std::string_view place;
  bool is_unified = false;
  bool has_cpu = false;
};

// A line of proc_pid_mountinfo(5): 4 fields, the place, options, and behind a lone dash the kind, the source and the
// options of the file system.
Mount parse_mount(std::string_view line) {
  constexpr int kFieldsBeforeRoot = 3;
  Mount mount;
  std::string_view fields = line;
  for (int field = 0; field < kFieldsBeforeRoot; ++field) take(&fields, ' ');
  mount.root = take(&fields, ' ');
  mount.place = take(&fields, ' ');
  while (!fields.empty() && take(&fields, ' ') != "-") continue;
  std::string_view kind = take(&fields, ' ');
  take(&fields, ' ');
  mount.is_unified = kind == "cgroup2";
  mount.has_cpu = kind == "cgroup" && has_word(fields, "cpu");
  return mount;
}

// The path of the group below its mount; in a container the mount may begin at the container's own group.
std::string below(const Mount& mount, std::string_view group) {
  bool is_inside = group.substr(0, mount.root.size()) == mount.root && mount.root != "/";
  std::string path(is_inside ? group.substr(mount.root.size()) : group);
  while (!path.empty() && path.back() == '/') path.pop_back();
  return path;
}

void add_files(const Mount& mount, std::string_view group, std::vector<std::string>* files) {
  std::string path = below(mount, group);
  for (;;) {
    files->push_back(std::string(mount.place) + path + "/cpu.stat");
    if (path.empty()) return;
    path.resize(path.rfind('/'));
  }
}

// A line of /proc/self/cgroup: NUMBER:CONTROLLERS:PATH, the unified one without controllers.
struct Group {
  std::string_view controllers;
  std::string_view path;
};

Group parse_group(std::string_view line) {
  take(&line, ':');
  std::string_view controllers = take(&line, ':');
  return {controllers, line};
}

double ratio(int64_t part, int64_t rest) {
  return part <= 0 ? 0 : static_cast<double>(part) / static_cast<double>(part + std::max<int64_t>(rest, 0));
}

}  // namespace

std::vector<std::string> cpu_stat_files(std::string_view groups, std::string_view mounts) {
  std::vector<std::string> files;
  while (!groups.empty()) {
    Group group = parse_group(take(&groups, '\n'));
    for (std::string_view rest = mounts; !rest.empty();) {
      Mount mount = parse_mount(take(&rest, '\n'));
      bool is_its = group.controllers.empty() ? mount.is_unified : mount.has_cpu && has_word(group.controllers, "cpu");
      if (!is_its) continue;
      add_files(mount, group.path, &files);
      break;
    }
  }
  return files;
}

WithheldCounts::Group parse_cpu_stat(std::string_view text) {
  constexpr int64_t kNsOfUs = 1000;
  WithheldCounts::Group group;
  while (!text.empty()) {
    std::string_view line = take(&text, '\n');
    std::string_view name = take(&line, ' ');
    if (name == "throttled_time") group.throttled_ns = number_in(line);
    if (name == "throttled_usec") group.throttled_ns = number_in(line) * kNsOfUs;
    if (name == "usage_usec") group.used_ns = number_in(line) * kNsOfUs;
  }
  return group;
}

// cpu USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL …
void parse_stolen(std::string_view text, WithheldCounts* counts) {
  constexpr size_t kIdle = 3, kWait = 4, kSteal = 7;
  std::string_view line = take(&text, '\n');
  if (take(&line, ' ') != "cpu") return;
  counts->stolen_ticks = counts->busy_ticks = 0;
  for (size_t field = 0; field <= kSteal && !line.empty();) {
    std::string_view word = take(&line, ' ');
    if (word.empty()) continue;
    if (field == kSteal) counts->stolen_ticks = number_in(word);
    if (field < kSteal && field != kIdle && field != kWait) counts->busy_ticks += number_in(word);
    ++field;
  }
}

void add_withheld(const WithheldCounts& before, const WithheldCounts& after, int64_t time_ns, WithheldSums* sums) {
  double throttled = 0;
  int64_t process_cpu_ns = after.process_cpu_ns - before.process_cpu_ns;
  for (size_t at = 0; at < std::min(before.groups.size(), after.groups.size()); ++at) {
    const WithheldCounts::Group &began = before.groups[at], &ended = after.groups[at];
    int64_t used_ns = ended.used_ns < 0 ? process_cpu_ns : ended.used_ns - began.used_ns;
    throttled += ratio(ended.throttled_ns - began.throttled_ns, used_ns);
  }
  double stolen = ratio(after.stolen_ticks - before.stolen_ticks, after.busy_ticks - before.busy_ticks);
  sums->throttled_ns += static_cast<int64_t>(std::min(throttled, 1.0) * static_cast<double>(time_ns));
  sums->stolen_ns += static_cast<int64_t>(stolen * static_cast<double>(time_ns));
}

WithheldTime::WithheldTime()
    : files_(cpu_stat_files(read_if_readable("/proc/self/cgroup"), read_if_readable("/proc/self/mountinfo"))) {}

const WithheldSums& WithheldTime::at(uint64_t now_ns) {
  bool is_first = sums_.at_ns == 0;
  if (!is_first && now_ns - sums_.at_ns < kPeriodNs) return sums_;
  WithheldCounts counts;
  for (const std::string& file : files_) counts.groups.push_back(parse_cpu_stat(read_if_readable(file)));
  counts.process_cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  parse_stolen(read_if_readable("/proc/stat"), &counts);
  if (!is_first) add_withheld(counts_, counts, static_cast<int64_t>(now_ns - sums_.at_ns), &sums_);
  sums_.at_ns = now_ns;
  counts_ = std::move(counts);
  return sums_;
}

}  // namespace hearth::events
