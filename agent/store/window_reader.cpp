#include "store/window_reader.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "profile/formats/amount_text.h"
#include "profile/formats/formats.h"
#include "profile/model/label_values.h"
#include "profile/model/merged_profile.h"
#include "store/window_cover.h"
#include "store/window_steps.h"

namespace hearth::store {
namespace {

constexpr int64_t kMostSteps = 4096;
constexpr size_t kMostInSpans = 500'000;  // samples

std::optional<TimeRange> held_of(const std::vector<StoredWindow>& windows) {
  if (windows.empty()) return std::nullopt;
  TimeRange held = {windows.front().begin_ns, windows.front().end_ns()};
  for (const StoredWindow& window : windows) {
    held.from_ns = std::min(held.from_ns, window.begin_ns);
    held.to_ns = std::max(held.to_ns, window.end_ns());
  }
  return held;
}

std::vector<StoredWindow> files_of(const std::string& store) {
  if (!is_store(store)) throw Error(formatted("{} is not a store of profiles", store), "give the directory of store=");
  return all_windows(store);
}

[[noreturn]] void refuse_nothing(const std::string& store, const std::vector<StoredWindow>& windows) {
  std::optional<TimeRange> held = held_of(windows);
  throw NothingStored(formatted("{} has no profile of that time", store),
                      held ? formatted("it holds {}", range_text(held->from_ns, held->to_ns)) : "it is still empty");
}

std::vector<StoredWindow> cover_of(const std::string& store, const TimeRange& range, const SpanSelection& spans) {
  std::vector<StoredWindow> windows = files_of(store);
  std::vector<StoredWindow> chosen = spans.are_asked ? finest(windows, range) : cover(windows, range);
  if (chosen.empty()) refuse_nothing(store, windows);
  return chosen;
}

std::vector<StoredWindow> parts_of(const std::string& store, const StoredWindow& merged) {
  if (merged.level == Level::kWindow) return {};
  std::vector<StoredWindow> parts = windows_of(store, merged.level == Level::kDay ? Level::kHour : Level::kWindow);
  auto is_other = [&](const StoredWindow& one) { return begin_of_span(one.begin_ns, merged.level) != merged.begin_ns; };
  parts.erase(std::remove_if(parts.begin(), parts.end(), is_other), parts.end());
  return parts;
}

// A range may begin and end inside of files, and parts of the range may not have been recorded.
std::string coverage_note(size_t windows, const std::string& range, int64_t sampled_ns) {
  return formatted("merged from {} stored {}, {}: {} recorded", windows, windows == 1 ? "profile" : "profiles", range,
                   profile::duration_text(sampled_ns));
}

// Whether there is no pause between them: the JVM may not have run all the time.
bool follows(const StoredWindow& next, const StoredWindow& before) {
  return next.level == before.level && next.begin_ns - before.end_ns() < std::min(next.duration_ns, before.duration_ns);
}

void add_to(TimelinePoint* sum, const TimelinePoint& point) {
  sum->window.duration_ns = point.window.end_ns() - sum->window.begin_ns;
  sum->window.windows += point.window.windows;
  sum->window.bytes += point.window.bytes;
  sum->figures.sampled_ns += point.figures.sampled_ns;
  sum->figures.samples += point.figures.samples;
  sum->figures.cpu_ns += point.figures.cpu_ns;
  sum->figures.allocated_bytes += point.figures.allocated_bytes;
  sum->figures.gc_pause_ns += point.figures.gc_pause_ns;
}

// Sums the windows as they are read.
class RangeSum {
 public:
  explicit RangeSum(const SpanSelection& spans)
      : spans_(spans),
        keeps_spans_(spans.are_kept),
        merged_([this](profile::Label* label) { return keeps(*label); }, profile::MergedProfile::Live::kLatest) {}

  void add(const profile::Profile& window, profile::TimeStep time) {
    profile::Profile chosen;
    if (!spans_.choices.empty()) chosen = profile::labelled_of_many(window, spans_.choices);
    const profile::Profile& part = spans_.choices.empty() ? window : chosen;
    samples_ += part.sample_count();
    if (samples_ > kMostInSpans) keeps_spans_ = false;
    merged_.add(part, time);
  }

  bool is_empty() const { return merged_.is_empty(); }
  profile::Profile take() {
    profile::Profile profile = merged_.take();
    if (has_dropped_ && spans_.are_kept)
      profile.quality.notes.push_back(formatted(
          "trace_id and span_id are left out after {} samples: use a shorter range or one trace_id", kMostInSpans));
    else if (has_dropped_)
      profile.quality.notes.push_back("trace_id and span_id are left out: select one of them with label=");
    return profile;
  }

 private:
  bool keeps(const profile::Label& label) {
    bool is_dropped = !keeps_spans_ && profile::is_span_label(label.key);
    has_dropped_ |= is_dropped;
    return !is_dropped;
  }

  const SpanSelection& spans_;
  bool keeps_spans_;
  bool has_dropped_ = false;
  size_t samples_ = 0;  // before equal ones are merged
  profile::MergedProfile merged_;
};

std::vector<TimelinePoint> thinned(const std::vector<TimelinePoint>& points, size_t most) {
  if (points.size() <= most) return points;
  size_t together = points.size() / most + 1, added = 0;
  std::vector<TimelinePoint> sums;
  for (size_t i = 0; i < points.size(); i++) {
    if (added++ % together != 0 && follows(points[i].window, points[i - 1].window)) {
      add_to(&sums.back(), points[i]);
    } else {
      sums.push_back(points[i]);
      added = 1;
    }
  }
  return sums;
}

}  // namespace

profile::Profile read_window(const std::string& store, const StoredWindow& window) {
  return profile::read(read_regular_file(path_of(store, window), profile::kMostBytes));
}

std::optional<TimeRange> held_range(const std::string& store) {
  return held_of(files_of(store));
}

std::vector<TimelinePoint> timeline(const std::string& store, const TimeRange& range, size_t most,
                                    const BeforeFile& before_file) {
  std::vector<StoredWindow> windows = files_of(store), chosen = finest(windows, range);
  if (chosen.empty()) refuse_nothing(store, windows);
  std::map<std::string, WindowFigures> known = read_figures(store);
  std::vector<TimelinePoint> points;
  for (StoredWindow& window : chosen) {
    auto found = known.find(window.name);
    if (found == known.end() && before_file) before_file();
    try {
      points.push_back({window, found != known.end() ? found->second : figures_of(read_window(store, window))});
    } catch (const std::exception&) {  // just dropped, or broken: read_range() reports those
    }
  }
  return thinned(points, most);
}

SpanSelection span_selection(const std::vector<profile::LabelChoice>& labels, const std::string& by, bool kept) {
  SpanSelection selection;
  for (const profile::LabelChoice& choice : labels)
    if (profile::is_span_label(choice.key)) selection.choices.push_back(choice);
  selection.are_asked = !selection.choices.empty() || profile::is_span_label(by);
  selection.are_kept = selection.are_asked || kept;
  return selection;
}

profile::Profile read_range(const std::string& store, const TimeRange& range, const SpanSelection& spans,
                            const BeforeFile& before_file) {
  std::vector<StoredWindow> windows = cover_of(store, range, spans);
  auto [begin_ns, end_ns] = *held_of(windows);
  WindowSteps steps = steps_of(windows, kMostSteps);
  int64_t sampled_ns = 0;
  RangeSum merged(spans);
  std::vector<std::string> unreadable;
  for (size_t i = 0; i < windows.size(); i++) {
    StoredWindow window = windows[i];
    if (before_file) before_file();
    try {
      profile::Profile part = read_window(store, window);
      sampled_ns += part.metadata.duration_ns;
      merged.add(part, steps.of(window));
    } catch (const std::exception& error) {
      unreadable.push_back(formatted("{} could not be read: {}", window.name, error.what()));
      // Its parts may still exist.
      for (StoredWindow& part : parts_of(store, window))
        if (range.has(part.moment_ns())) windows.push_back(std::move(part));
    }
  }
  if (merged.is_empty()) throw Error(formatted("no profile in {} can be read: {}", store, unreadable.front()));
  profile::Profile profile = merged.take();
  if (!spans.choices.empty() && profile.sample_count() == 0)
    throw NothingStored(formatted("nothing of {} is stored for that time", profile::choices_text(spans.choices)),
                        "the merged files of hours and days have no trace_id and span_id");
  profile.metadata.start_unix_ns = begin_ns;
  profile.metadata.duration_ns = sampled_ns;
  profile.metadata.time_step_ns = steps.length_ns;
  profile.metadata.title = range_text(begin_ns, end_ns);
  profile.quality.notes.push_back(coverage_note(windows.size(), profile.metadata.title, sampled_ns));
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
