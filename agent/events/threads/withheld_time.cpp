#include "events/threads/withheld_time.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <new>
#include <optional>
#include <utility>

#include "base/clocks.h"
#include "base/files.h"
#include "base/text_parts.h"

namespace hearth::events {
namespace {

// Not shorter than two periods of a cgroup, which are 0.1 s.
constexpr uint64_t kLeastPeriodNs = 200'000'000;
constexpr uint64_t kPeriodNs = 1'000'000'000;

int64_t number_in(std::string_view text) {
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool has(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Where a hierarchy of cgroups with the controller cpu, or the unified one, is mounted.
struct Mount {
  std::string_view root;  // the cgroup that is there
  std::string_view place;
  bool is_unified = false;
};

// A line of proc_pid_mountinfo(5): the root and the place are its fourth and fifth field; a lone dash stands before the
// kind, the source and the options of the file system.
std::optional<Mount> mount_in(std::string_view line) {
  constexpr size_t kRoot = 3, kPlace = 4;
  std::vector<std::string_view> fields = words_of(line);
  auto dash = std::find(fields.begin(), fields.end(), "-");
  if (fields.end() - dash < 4 || dash - fields.begin() <= static_cast<ptrdiff_t>(kPlace)) return {};
  bool is_unified = dash[1] == "cgroup2";
  if (!is_unified && (dash[1] != "cgroup" || !has(parts_of(dash[3], ','), "cpu"))) return {};
  return Mount{fields[kRoot], fields[kPlace], is_unified};
}

// The path of the group below its mount; in a container the mount may begin at the container's own group.
std::string below(const Mount& mount, std::string_view group) {
  if (mount.root != "/" && starts_with(group, mount.root)) group.remove_prefix(mount.root.size());
  while (ends_with(group, "/")) group.remove_suffix(1);
  return std::string(group);
}

void add_files(const Mount& mount, std::string_view group, std::vector<std::string>* files) {
  std::string path = below(mount, group);
  for (;;) {
    files->push_back(std::string(mount.place) + path + "/cpu.stat");
    if (path.empty()) return;
    path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
}

double share_of(int64_t part, int64_t rest) {
  return part <= 0 ? 0 : static_cast<double>(part) / static_cast<double>(part + std::max<int64_t>(rest, 0));
}

}  // namespace

// A line of cgroups(7), /proc/self/cgroup: NUMBER:CONTROLLERS:PATH, the unified one without controllers.
std::vector<std::string> cpu_stat_files(std::string_view groups, std::string_view mounts) {
  std::vector<std::string> files;
  for (std::string_view line : parts_of(groups, '\n')) {
    std::vector<std::string_view> parts = parts_of(line, ':');
    if (parts.size() < 3) continue;
    bool is_unified = parts[1].empty();
    if (!is_unified && !has(parts_of(parts[1], ','), "cpu")) continue;
    for (std::string_view mounted : parts_of(mounts, '\n')) {
      std::optional<Mount> mount = mount_in(mounted);
      if (!mount || mount->is_unified != is_unified) continue;
      add_files(*mount, line.substr(static_cast<size_t>(parts[2].data() - line.data())), &files);
      break;
    }
  }
  return files;
}

WithheldCounts::Group parse_cpu_stat(std::string_view text) {
  constexpr int64_t kNsOfUs = 1000;
  WithheldCounts::Group group;
  for (std::string_view line : parts_of(text, '\n')) {
    std::vector<std::string_view> words = words_of(line);
    if (words.size() != 2) continue;
    if (words[0] == "throttled_time") group.throttled_ns = number_in(words[1]);
    if (words[0] == "throttled_usec") group.throttled_ns = number_in(words[1]) * kNsOfUs;
    if (words[0] == "usage_usec") group.used_ns = number_in(words[1]) * kNsOfUs;
  }
  return group;
}

// cpu USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL …
void parse_stolen(std::string_view text, WithheldCounts* counts) {
  constexpr size_t kIdle = 4, kWait = 5, kSteal = 8;
  std::vector<std::string_view> words = words_of(text.substr(0, text.find('\n')));
  if (words.size() <= kSteal || words[0] != "cpu") return;
  counts->stolen_ticks = number_in(words[kSteal]);
  counts->busy_ticks = 0;
  for (size_t field = 1; field < kSteal; ++field)
    if (field != kIdle && field != kWait) counts->busy_ticks += number_in(words[field]);
}

Withheld withheld_between(const WithheldCounts& before, const WithheldCounts& after) {
  constexpr int64_t kNsOfTick = 10'000'000;  // USER_HZ is 100 on both processors
  Withheld withheld;
  int64_t process_cpu_ns = after.process_cpu_ns - before.process_cpu_ns;
  for (size_t at = 0; at < std::min(before.groups.size(), after.groups.size()); ++at) {
    const WithheldCounts::Group &began = before.groups[at], &ended = after.groups[at];
    int64_t used_ns = ended.used_ns < 0 ? process_cpu_ns : ended.used_ns - began.used_ns;
    withheld.throttled_ns += ended.throttled_ns - began.throttled_ns;
    withheld.throttled_share += share_of(ended.throttled_ns - began.throttled_ns, used_ns);
  }
  withheld.throttled_share = std::min(withheld.throttled_share, 1.0);
  int64_t stolen_ticks = after.stolen_ticks - before.stolen_ticks;
  withheld.stolen_ns = stolen_ticks * kNsOfTick;
  withheld.stolen_share = share_of(stolen_ticks, after.busy_ticks - before.busy_ticks);
  return withheld;
}

void add_withheld(const WithheldCounts& before, const WithheldCounts& after, int64_t time_ns, WithheldSums* sums) {
  Withheld withheld = withheld_between(before, after);
  sums->throttled_ns += static_cast<int64_t>(withheld.throttled_share * static_cast<double>(time_ns));
  sums->stolen_ns += static_cast<int64_t>(withheld.stolen_share * static_cast<double>(time_ns));
}

// The root of a hierarchy has no limit, and its file may tell nothing.
void WithheldFiles::find() {
  of_groups_ = cpu_stat_files(read_if_readable("/proc/self/cgroup"), read_if_readable("/proc/self/mountinfo"));
  auto tells_none = [](const std::string& path) {
    return read_if_readable(path).find("throttled_") == std::string::npos;
  };
  of_groups_.erase(std::remove_if(of_groups_.begin(), of_groups_.end(), tells_none), of_groups_.end());
}

WithheldCounts WithheldFiles::read(WithheldCounts counts) const {
  counts.groups.resize(of_groups_.size());
  for (size_t at = 0; at < of_groups_.size(); ++at) {
    std::string text = read_if_readable(of_groups_[at]);
    if (!text.empty()) counts.groups[at] = parse_cpu_stat(text);
  }
  counts.process_cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  parse_stolen(read_if_readable("/proc/stat"), &counts);
  return counts;
}

const WithheldSums& WithheldTime::at(uint64_t now_ns) {
  bool is_first = sums_.at_ns == 0;
  // The first ones are short: until then nothing is known.
  uint64_t period_ns = std::clamp(sums_.at_ns - began_ns_, kLeastPeriodNs, kPeriodNs);
  if (!is_first && now_ns - sums_.at_ns < period_ns) return sums_;
  if (is_first) {
    began_ns_ = now_ns;
    files_.find();
  }
  WithheldCounts counts = files_.read(counts_);
  if (!is_first) add_withheld(counts_, counts, static_cast<int64_t>(now_ns - sums_.at_ns), &sums_);
  sums_.at_ns = now_ns;
  counts_ = std::move(counts);
  return sums_;
}

void WithheldMeter::begin() {
  files_.find();
  at_begin_ = files_.read({});
  has_begun_ = true;
}

void WithheldMeter::end() {
  try {
    at_end_ = so_far();
  } catch (const std::bad_alloc&) {
    at_end_.emplace();  // it is unknown
  }
}

Withheld WithheldMeter::so_far() const {
  if (at_end_) return *at_end_;
  return has_begun_ ? withheld_between(at_begin_, files_.read(at_begin_)) : Withheld();
}

}  // namespace hearth::events
