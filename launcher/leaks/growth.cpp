#include "launcher/leaks/growth.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "launcher/leaks/jvm_heap.h"
#include "profile/analysis/stack_key.h"
#include "profile/analysis/welch_bound.h"
#include "profile/model/allocation_time.h"

namespace hearth::launcher {
namespace {

int64_t sum(const std::vector<int64_t>& amounts, size_t count) {
  auto end = amounts.begin() + static_cast<ptrdiff_t>(std::min(count, amounts.size()));
  return std::accumulate(amounts.begin(), end, int64_t{0});
}

std::vector<int64_t> totals_of(const Generations& generations) {
  std::vector<int64_t> totals;
  totals.reserve(generations.size());
  for (const std::vector<int64_t>& amounts : generations) totals.push_back(sum(amounts, amounts.size()));
  return totals;
}

}  // namespace

Growth growth_of(const std::vector<int64_t>& amounts, double seconds_apart) {
  constexpr size_t kFewest = 3;
  if (amounts.size() < kFewest || seconds_apart <= 0) return {};
  std::vector<double> changes;
  changes.reserve(amounts.size() - 1);
  for (size_t i = 1; i < amounts.size(); ++i) changes.push_back(static_cast<double>(amounts[i] - amounts[i - 1]));
  double mean = static_cast<double>(amounts.back() - amounts.front()) / static_cast<double>(changes.size());
  return {mean / seconds_apart, profile::bound_of_mean(changes) / seconds_apart};
}

bool leaks(const Generations& generations, const Growth& growth) {
  constexpr double kQuarter = 0.25, kStill = 0.8;
  if (!growth.is_certain()) return false;
  size_t last = generations.size() - 1, quarter = std::max<size_t>(last / 4, 1), middle = (last + 1) / 2;
  std::vector<int64_t> amounts = totals_of(generations);
  auto grown = static_cast<double>(amounts[last] - amounts[0]);
  auto grown_lately = static_cast<double>(amounts[last] - amounts[last - quarter]);
  double share = static_cast<double>(quarter) / static_cast<double>(last);
  if (grown_lately < kQuarter * share * grown) return false;
  int64_t lived = sum(generations[middle], quarter + 1), lives = sum(generations[last], quarter + 1);
  return lived > 0 && static_cast<double>(lives) >= kStill * static_cast<double>(lived);
}

// Divides the amount of a step among the generations that it is part of, as steps grow longer from look to look.
void LiveSites::divide(int64_t amount, Time time, std::vector<int64_t>* generations) const {
  if (time.end_ns <= time.begin_ns) {
    generations->front() += amount;
    return;
  }
  int64_t begin_ns = time.begin_ns, end_ns = std::min(time.end_ns, look_ns_.back()), left = amount;
  for (size_t i = 0; i + 1 < generations->size() && look_ns_[i] < end_ns; ++i) {
    if (look_ns_[i] <= begin_ns) continue;
    int64_t from_ns = i == 0 ? begin_ns : std::max(begin_ns, look_ns_[i - 1]);
    double share = static_cast<double>(look_ns_[i] - from_ns) / static_cast<double>(end_ns - begin_ns);
    auto part = static_cast<int64_t>(std::llround(share * static_cast<double>(amount)));
    (*generations)[i] += part;
    left -= part;
  }
  auto last = std::lower_bound(look_ns_.begin(), look_ns_.end() - 1, end_ns);
  (*generations)[static_cast<size_t>(last - look_ns_.begin())] += left;
}

// By the id of the set of labels, as windows of a store have them.
std::vector<LiveSites::Time> LiveSites::dates_of(const profile::Profile& profile, const profile::ValueType& type) {
  constexpr int64_t kSecond = 1'000'000'000;
  std::vector<Time> dates;
  for (const profile::LabelSet& set : profile.label_sets()) {
    Time& time = dates.emplace_back();
    for (const profile::Label& label : set) {
      if (label.key != profile::kAllocatedLabel) continue;
      std::optional<int64_t> date = profile::allocation_of_text(label.text);
      if (!date) continue;
      int64_t begin_ns = *date * kSecond - type.followed_since_ns;
      int64_t step_ns = profile::allocation_step(type.looked_at_ns / kSecond - *date) * kSecond;
      time = {std::max<int64_t>(begin_ns, 0), std::max<int64_t>(begin_ns + step_ns, 1)};
    }
  }
  return dates;
}

void LiveSites::add(const profile::Profile& profile, std::string_view value_type) {
  size_t looks = look_ns_.size() + 1;
  auto begin = [&](Generations* generations) {
    while (generations->size() < looks) generations->emplace_back(generations->size() + 1);
  };
  jvm_heap_.push_back(0);
  for (auto& [frames, generations] : sites_) begin(&generations);
  const auto& types = profile.value_types;
  auto value = static_cast<size_t>(
      std::find_if(types.begin(), types.end(), [&](const auto& type) { return type.type == value_type; }) -
      types.begin());
  bool is_dated = value < types.size() && types[value].looked_at_ns != 0;
  look_ns_.push_back(is_dated ? types[value].looked_at_ns - types[value].followed_since_ns
                              : profile.metadata.duration_ns);
  if (value == types.size()) return;
  std::vector<Time> dates = dates_of(profile, types[value]);
  int64_t step_ns = profile.metadata.time_step_ns;
  for (size_t i = 0; i < profile.sample_count(); ++i) {
    int64_t amount = profile.values(i)[value];
    if (amount == 0) continue;
    const profile::Profile::Sample& sample = profile.sample(i);
    std::vector<std::string> frames = profile::frames_of(profile, sample.stack);
    if (is_jvm_heap(frames)) {
      jvm_heap_.back() += amount;
      continue;
    }
    Generations& generations = sites_[std::move(frames)];
    begin(&generations);
    Time time = dates[sample.labels];
    if (step_ns > 0 && sample.time != profile::kNoTime)
      time = {int64_t{sample.time} * step_ns, (int64_t{sample.time} + 1) * step_ns};
    divide(amount, time, &generations.back());
  }
}

std::vector<Site> LiveSites::sites(double seconds_apart) const {
  std::vector<Site> sites;
  for (const auto& [frames, generations] : sites_) {
    Site site = {frames, totals_of(generations), {}};
    site.growth = growth_of(site.amounts, seconds_apart);
    site.leaks = leaks(generations, site.growth);
    sites.push_back(std::move(site));
  }
  std::stable_sort(sites.begin(), sites.end(), [](const Site& one, const Site& other) {
    if (one.leaks != other.leaks) return one.leaks;
    if (one.leaks) return one.growth.rate > other.growth.rate;
    return one.amounts.back() > other.amounts.back();
  });
  return sites;
}

Site LiveSites::total(double seconds_apart) const {
  Site all;
  all.amounts.resize(look_ns_.size());
  double squares = 0;
  for (const Site& site : sites(seconds_apart)) {
    for (size_t look = 0; look < all.amounts.size(); ++look) all.amounts[look] += site.amounts[look];
    if (!site.leaks) continue;
    all.leaks = true;
    all.growth.rate += site.growth.rate;
    squares += site.growth.bound * site.growth.bound;
  }
  all.growth.bound = std::sqrt(squares);
  return all;
}

}  // namespace hearth::launcher
