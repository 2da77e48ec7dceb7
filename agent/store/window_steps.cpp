#include "store/window_steps.h"

#include <algorithm>
#include <cstdlib>

namespace hearth::store {
namespace {

// Windows of the coarsest level. A few are longer than requested, if the machine was busy.
int64_t usual_length(const std::vector<StoredWindow>& windows, Level coarsest) {
  std::vector<int64_t> lengths;
  for (const StoredWindow& window : windows)
    if (window.level == coarsest) lengths.push_back(window.duration_ns);
  std::sort(lengths.begin(), lengths.end());
  return lengths[(lengths.size() - 1) * 9 / 10];
}

bool is_about(int64_t length_ns, int64_t usual_ns) {
  return std::llabs(length_ns - usual_ns) <= usual_ns / 10;
}

// Mean distance of begins: lengths alone are off by some ms, which adds up over many windows.
int64_t mean_distance(const std::vector<StoredWindow>& windows, Level coarsest, int64_t usual_ns) {
  int64_t sum = 0, count = 0;
  for (size_t i = 1; i < windows.size(); i++) {
    int64_t distance = windows[i].begin_ns - windows[i - 1].begin_ns;
    bool are_of_level = windows[i].level == coarsest && windows[i - 1].level == coarsest;
    if (!are_of_level || !is_about(distance, usual_ns) || !is_about(windows[i - 1].duration_ns, usual_ns)) continue;
    sum += distance;
    count++;
  }
  return count == 0 ? usual_ns : sum / count;
}

}  // namespace

profile::TimeStep WindowSteps::of(const StoredWindow& window) const {
  int64_t middle_ns = window.begin_ns + window.duration_ns / 2;
  return static_cast<profile::TimeStep>(std::max<int64_t>(0, middle_ns - begin_ns) / length_ns);
}

WindowSteps steps_of(const std::vector<StoredWindow>& windows, int64_t most) {
  auto is_finer = [](const StoredWindow& a, const StoredWindow& b) { return a.level < b.level; };
  Level coarsest = std::max_element(windows.begin(), windows.end(), is_finer)->level;
  int64_t usual_ns = usual_length(windows, coarsest), first_ns = windows.front().begin_ns;
  int64_t end_ns = first_ns;
  for (const StoredWindow& window : windows) end_ns = std::max(end_ns, window.end_ns());
  WindowSteps steps;
  steps.length_ns = std::max({int64_t{1}, mean_distance(windows, coarsest, usual_ns), (end_ns - first_ns) / most + 1});
  auto regular = std::find_if(windows.begin(), windows.end(), [&](const StoredWindow& one) {
    return one.level == coarsest && is_about(one.duration_ns, usual_ns);
  });
  // Whole steps before the first window of the usual length.
  int64_t before = (regular->begin_ns - first_ns + steps.length_ns - 1) / steps.length_ns;
  steps.begin_ns = regular->begin_ns - before * steps.length_ns;
  return steps;
}

}  // namespace hearth::store
