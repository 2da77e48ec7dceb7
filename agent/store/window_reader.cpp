#include "store/window_reader.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "profile/amount_text.h"
#include "profile/formats.h"
#include "profile/merged_profile.h"
#include "store/window_cover.h"

namespace hearth::store {
namespace {

constexpr int64_t kMostSteps = 4096;

std::string held_text(const std::vector<StoredWindow>& windows) {
  if (windows.empty()) return "it holds nothing yet";
  auto [first, unused] = std::minmax_element(windows.begin(), windows.end(),
                                             [](const auto& a, const auto& b) { return a.begin_ns < b.begin_ns; });
  auto last = std::max_element(windows.begin(), windows.end(),
                               [](const auto& a, const auto& b) { return a.end_ns() < b.end_ns(); });
  return formatted("it holds {}", range_text(first->begin_ns, last->end_ns()));
}

std::vector<StoredWindow> cover_of(const std::string& store, const TimeRange& range) {
  if (!is_store(store)) throw Error(formatted("{} is no store of profiles", store), "give the directory of store=");
  std::vector<StoredWindow> windows = all_windows(store);
  std::vector<StoredWindow> chosen = cover(windows, range);
  if (chosen.empty()) throw Error(formatted("nothing of that time is stored in {}", store), held_text(windows));
  return chosen;
}

profile::Profile read_window(const std::string& store, const StoredWindow& window) {
  return profile::read(read_file(path_of(store, window)));
}

// What was asked for may begin and end where no file does, and not all of it may have been recorded.
std::string coverage_note(const std::vector<StoredWindow>& windows, int64_t sampled_ns) {
  const StoredWindow& last = *std::max_element(windows.begin(), windows.end(),
                                               [](const auto& a, const auto& b) { return a.end_ns() < b.end_ns(); });
  return formatted("from {} stored {}, {}: {} of it was recorded", windows.size(),
                   windows.size() == 1 ? "profile" : "profiles", range_text(windows.front().begin_ns, last.end_ns()),
                   profile::duration_text(sampled_ns));
}

}  // namespace

std::vector<TimelinePoint> timeline(const std::string& store, const TimeRange& range) {
  std::vector<StoredWindow> windows = cover_of(store, range);
  std::map<std::string, WindowFigures> known = read_figures(store);
  std::vector<TimelinePoint> points;
  for (StoredWindow& window : windows) {
    auto found = known.find(window.name);
    try {
      points.push_back({window, found != known.end() ? found->second : figures_of(read_window(store, window))});
    } catch (const std::exception&) {  // just dropped, or broken: read_range() tells of those
    }
  }
  return points;
}

profile::Profile read_range(const std::string& store, const TimeRange& range) {
  std::vector<StoredWindow> windows = cover_of(store, range);
  int64_t begin_ns = windows.front().begin_ns, step_ns = 1, end_ns = begin_ns, sampled_ns = 0;
  for (const StoredWindow& window : windows) {
    step_ns = std::max(step_ns, window.duration_ns);
    end_ns = std::max(end_ns, window.end_ns());
  }
  step_ns = std::max(step_ns, (end_ns - begin_ns) / kMostSteps + 1);
  profile::MergedProfile merged;
  std::vector<std::string> unreadable;
  for (const StoredWindow& window : windows) {
    try {
      profile::Profile part = read_window(store, window);
      sampled_ns += part.metadata.duration_ns;
      merged.add(part, static_cast<profile::TimeStep>((window.begin_ns - begin_ns) / step_ns));
    } catch (const std::exception& error) {
      unreadable.push_back(formatted("{} could not be read: {}", window.name, error.what()));
    }
  }
  if (merged.is_empty()) throw Error(formatted("no profile in {} can be read: {}", store, unreadable.front()));
  profile::Profile profile = merged.take();
  profile.metadata.start_unix_ns = begin_ns;
  profile.metadata.duration_ns = sampled_ns;
  profile.metadata.time_step_ns = step_ns;
  profile.metadata.title = range_text(begin_ns, end_ns);
  profile.quality.notes.push_back(coverage_note(windows, sampled_ns));
  profile.quality.notes.insert(profile.quality.notes.end(), unreadable.begin(), unreadable.end());
  return profile;
}

std::optional<StoreRange> store_range(const std::string& text, int64_t now_ns) {
  if (is_store(text)) return StoreRange{text, {}};
  size_t at = text.rfind('@');
  if (at == std::string::npos || !is_store(text.substr(0, at))) return std::nullopt;
  return StoreRange{text.substr(0, at), parse_range(std::string_view(text).substr(at + 1), now_ns)};
}

}  // namespace hearth::store
