#include "store/window_cover.h"

#include <algorithm>
#include <map>
#include <utility>

namespace hearth::store {
namespace {

// A window is never in two files of a level, and a coarser file begins and ends at the bounds of its level: the begin
// of a window decides which one contains it, as in merging.
bool is_in(const StoredWindow& fine, const StoredWindow& coarse) {
  return fine.begin_ns >= coarse.begin_ns && fine.begin_ns < coarse.end_ns();
}

bool is_told(const StoredWindow& window, const std::vector<StoredWindow>& chosen) {
  return std::any_of(chosen.begin(), chosen.end(), [&](const StoredWindow& other) {
    return other.level != window.level && (other.level > window.level ? is_in(window, other) : is_in(other, window));
  });
}

bool begins_earlier(const StoredWindow& a, const StoredWindow& b) {
  return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.name < b.name;
}

// Whether one of `chosen`, which are in order of time, is a part of `coarse`.
bool has_part(const std::vector<StoredWindow>& chosen, const StoredWindow& coarse) {
  auto later = std::lower_bound(chosen.begin(), chosen.end(), coarse.begin_ns,
                                [](const StoredWindow& one, int64_t begin_ns) { return one.begin_ns < begin_ns; });
  return later != chosen.end() && is_in(*later, coarse);
}

// The finest window with the largest overlap, among those longer than the range. An open end is that of the windows.
std::vector<StoredWindow> most_overlapped(const std::vector<StoredWindow>& windows, TimeRange range) {
  int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;
  for (const StoredWindow& window : windows) {
    begin_ns = std::min(begin_ns, window.begin_ns);
    end_ns = std::max(end_ns, window.end_ns());
  }
  if (range.from_ns == INT64_MIN) range.from_ns = begin_ns;
  if (range.to_ns == INT64_MAX) range.to_ns = end_ns;
  const StoredWindow* most = nullptr;
  auto overlap = [&](const StoredWindow& one) { return range.overlap(one.begin_ns, one.end_ns()); };
  for (const StoredWindow& window : windows) {
    if (overlap(window) <= 0 || range.to_ns - range.from_ns >= window.duration_ns) continue;
    bool is_finer = most != nullptr && window.level < most->level;
    bool is_more = most == nullptr || (window.level == most->level && overlap(window) > overlap(*most));
    if (is_finer || is_more) most = &window;
  }
  return most == nullptr ? std::vector<StoredWindow>() : std::vector<StoredWindow>{*most};
}

}  // namespace

std::vector<StoredWindow> without_outdated(std::vector<StoredWindow> windows) {
  std::map<std::pair<Level, int64_t>, uint64_t> known;  // span -> least number of its windows
  for (const StoredWindow& window : windows) {
    if (window.level == Level::kWindow) known[{Level::kHour, begin_of_span(window.begin_ns, Level::kHour)}]++;
  }
  for (Level level : {Level::kHour, Level::kDay}) {
    for (const StoredWindow& window : windows) {
      if (window.level != level) continue;
      uint64_t& most = known[{level, window.begin_ns}];
      most = std::max(most, window.windows);
    }
    if (level == Level::kDay) break;
    std::map<int64_t, uint64_t> days;
    for (const auto& [span, most] : known) days[begin_of_span(span.second, Level::kDay)] += most;
    for (const auto& [begin_ns, most] : days) known[{Level::kDay, begin_ns}] = most;
  }
  auto is_outdated = [&](const StoredWindow& window) {
    return window.level != Level::kWindow && window.windows < known[{window.level, window.begin_ns}];
  };
  windows.erase(std::remove_if(windows.begin(), windows.end(), is_outdated), windows.end());
  return windows;
}

std::vector<StoredWindow> finest(const std::vector<StoredWindow>& windows, const TimeRange& range) {
  std::vector<StoredWindow> chosen;
  for (Level level : kLevels) {
    std::vector<StoredWindow> coarser;
    for (const StoredWindow& window : windows) {
      bool is_wanted = window.level == level && range.has(window.moment_ns());
      if (is_wanted && !has_part(chosen, window)) coarser.push_back(window);
    }
    chosen.insert(chosen.end(), coarser.begin(), coarser.end());
    std::sort(chosen.begin(), chosen.end(), begins_earlier);
  }
  return chosen.empty() ? most_overlapped(windows, range) : chosen;
}

std::vector<StoredWindow> cover(std::vector<StoredWindow> windows, const TimeRange& range) {
  windows = without_outdated(std::move(windows));
  std::vector<StoredWindow> chosen;
  auto coarse_first = [](const StoredWindow& a, const StoredWindow& b) { return a.level > b.level; };
  std::stable_sort(windows.begin(), windows.end(), coarse_first);
  std::vector<StoredWindow> cut;
  for (const StoredWindow& window : windows) {
    if (!range.has(window.moment_ns())) continue;
    bool is_cut = window.level != Level::kWindow && !range.has(window.begin_ns, window.end_ns());
    if (is_cut)
      cut.push_back(window);
    else if (!is_told(window, chosen))
      chosen.push_back(window);
  }
  // A coarse file at an end of the range is used only if no finer file is left there.
  std::reverse(cut.begin(), cut.end());
  for (const StoredWindow& window : cut)
    if (!is_told(window, chosen)) chosen.push_back(window);
  if (chosen.empty()) return most_overlapped(windows, range);
  std::sort(chosen.begin(), chosen.end(), begins_earlier);
  return chosen;
}

}  // namespace hearth::store
