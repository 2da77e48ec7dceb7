#include "profile/analysis/difference.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/formatted.h"
#include "profile/analysis/sampling_variance.h"
#include "profile/analysis/summary.h"
#include "profile/analysis/welch_bound.h"
#include "profile/model/event_view.h"
#include "profile/model/merged_profile.h"

namespace hearth::profile {
namespace {

std::vector<ComparedRun> compared_runs(const Difference::Runs& before, const Difference::Runs& after) {
  bool are_several = before.size() + after.size() > 2;
  std::vector<ComparedRun> runs;
  for (size_t side : {0, 1}) {
    size_t number = 0;
    for (const Profile* profile : side == 0 ? before : after) {
      ++number;
      runs.push_back({profile, side, are_several ? formatted("{} {}", kSideNames[side], number) : ""});
    }
  }
  return runs;
}

// `values`: number of values per side, the first of which is that of the samples.
std::vector<VarianceOfValue> variances_of_counted(size_t values) {
  std::vector<VarianceOfValue> variances;
  for (size_t side : {0, 1}) {
    for (size_t value = 0; value < values; ++value) {
      CountedVariance chance(side * values, side * values + value);
      variances.emplace_back([chance](const int64_t* row) { return chance.variance(row); });
    }
  }
  return variances;
}

// Adds the side to errors about selected labels that one profile lacks.
std::optional<Profile> shown_part(const ComparedRun& run, const WriteOptions& options) {
  try {
    return view_of(*run.profile, Format::kFlat, options);
  } catch (const FormatError& error) {
    if (options.labels.empty()) throw;
    throw FormatError(formatted("{}: {}", kSideNames[run.side], error.what()));
  }
}

double size_of(const Change& change) {
  return std::abs(change.change());
}

bool changed_more(const MethodChange& a, const MethodChange& b) {
  bool a_is_noise = a.self_change.is_noise() && a.total_change.is_noise();
  bool b_is_noise = b.self_change.is_noise() && b.total_change.is_noise();
  if (a_is_noise != b_is_noise) return b_is_noise;
  double a_self = size_of(a.self_change), b_self = size_of(b.self_change);
  if (a_self != b_self) return a_self > b_self;
  double a_total = size_of(a.total_change), b_total = size_of(b.total_change);
  return a_total != b_total ? a_total > b_total : a.name < b.name;
}

}  // namespace

const char* word_of_change(const Measured& measured, const Change& change) {
  if (measured.values[0] == 0 && measured.values[1] != 0) return "new";
  if (measured.values[1] == 0 && measured.values[0] != 0) return "vanished";
  if (change.change() == 0) return "same";
  return change.change() > 0 ? "grew" : "shrank";
}

Difference::Difference(const Runs& before, const Runs& after, const DifferenceOptions& options)
    : event_(options.write.event),
      scale_(options.scale),
      annotate_(options.write.annotate),
      runs_{before.size(), after.size()},
      divisors_{static_cast<double>(before.size()), static_cast<double>(after.size())},
      is_per_operation_(options.operations[0] > 0 && options.operations[1] > 0) {
  for (size_t side : {0, 1})
    if (is_per_operation_) divisors_[side] *= options.operations[side];
  std::vector<ComparedRun> runs = compared_runs(before, after);
  if (event_.empty()) event_ = common_event(runs);
  WriteOptions chosen = options.write;
  chosen.event = event_;
  std::vector<std::optional<Profile>> views;
  views.reserve(runs.size());
  for (const ComparedRun& run : runs) views.push_back(shown_part(run, chosen));
  for (size_t run = 0; run < runs.size(); ++run)
    if (views[run]) runs[run].profile = &*views[run];
  for (size_t side : {0, 1}) about_[side] = runs[side == 0 ? 0 : before.size()].profile->metadata;
  for (size_t side : {0, 1}) about_[side].duration_ns = 0;
  for (const ComparedRun& run : runs) {
    add_quality(run.profile->quality, &quality_[run.side]);
    about_[run.side].duration_ns += run.profile->metadata.duration_ns;
  }
  ComparedProfiles all(runs);
  both_ = all.joined();
  values_.assign(both_.value_types.begin(), both_.value_types.begin() + static_cast<ptrdiff_t>(all.width()));
  lens_ = options.write.lens == Lens::kSamples ? 0 : values_.size() - 1;
  counts_samples_ = values_[0].type == "samples";
  tree_ = counts_samples_ ? call_tree(both_, options.write, variances_of_counted(values_.size()))
                          : call_tree(both_, options.write);
  if (has_chance_from_runs()) know_runs(all, runs, options.write);
  weigh();
}

void Difference::know_runs(const ComparedProfiles& all, const std::vector<ComparedRun>& runs,
                           const WriteOptions& options) {
  for (size_t run = 0; run < runs.size(); ++run) {
    size_t side = runs[run].side, place = run - (side == 0 ? 0 : runs_[0]);
    CallTree tree = call_tree(all.alone(run), options);
    double whole = divisors_[side] / static_cast<double>(runs_[side]);
    if (scale_ == Scale::kShares) whole = std::max<double>(1, static_cast<double>(tree.total(column(side, lens_))));
    for (const MethodWeight& weight : method_weights(tree, column(side, lens_), annotate_)) {
      RunValues& values = run_values_[weight.name];
      for (size_t any : {0, 1}) {
        values.self[any].resize(runs_[any]);
        values.total[any].resize(runs_[any]);
      }
      values.self[side][place] = static_cast<double>(weight.self) / whole;
      values.total[side][place] = static_cast<double>(weight.total) / whole;
    }
  }
}

void Difference::weigh() {
  for (size_t side : {0, 1}) {
    totals_[side] = tree_.total(column(side, lens_));
    if (totals_[side] == 0)
      throw FormatError(formatted("the profile {} has no stack with any weight", kSideNames[side]));
    const std::vector<double>& variances = tree_.variance[column(side, lens_)];
    bounds_[side] = ShareBounds(tree_, column(side, lens_));
    double variance = std::accumulate(variances.begin(), variances.end(), 0.0);
    double unit = variance / static_cast<double>(totals_[side]);
    units_[side] = unit * unit;
  }
}

Change Difference::change_of(const Measured& measured) const {
  Change change;
  double* amounts[2] = {&change.before, &change.after};
  double variance = 0;
  for (size_t side : {0, 1}) {
    // Adds one sample: otherwise the error of a method without samples would be 0.
    double own = measured.variances[side] + units_[side];
    auto value = static_cast<double>(measured.values[side]);
    if (scale_ == Scale::kAmounts) {
      *amounts[side] = value / divisors_[side];
      variance += own / divisors_[side] / divisors_[side];
    } else {
      *amounts[side] = value / static_cast<double>(totals_[side]);
      double half = bounds_[side].half_width(measured.values[side], own) / kDeviationsOf95Percent;
      variance += half * half;
    }
  }
  if (bounds_[0].known() && bounds_[1].known()) change.bound = kDeviationsOf95Percent * std::sqrt(variance);
  return change;
}

// Differences between runs may exceed the sampling error.
void Difference::widen(MethodChange* method) const {
  auto known = run_values_.find(method->name);
  if (known == run_values_.end()) return;
  const RunValues& runs = known->second;
  method->self_change.bound = std::max(method->self_change.bound, bound_of_means(runs.self[0], runs.self[1]));
  method->total_change.bound = std::max(method->total_change.bound, bound_of_means(runs.total[0], runs.total[1]));
}

std::vector<MethodChange> Difference::methods() const {
  std::vector<MethodChange> methods;
  std::unordered_map<std::string, size_t> places;
  for (size_t side : {0, 1}) {
    for (MethodWeight& weight : method_weights(tree_, column(side, lens_), annotate_)) {
      auto [place, is_new] = places.try_emplace(weight.name, methods.size());
      if (is_new) methods.push_back({std::move(weight.name), {}, {}, {}, {}});
      MethodChange& method = methods[place->second];
      method.self.values[side] = weight.self;
      method.self.variances[side] = weight.self_variance;
      method.total.values[side] = weight.total;
      method.total.variances[side] = weight.total_variance;
    }
  }
  for (MethodChange& method : methods) {
    method.self_change = change_of(method.self);
    method.total_change = change_of(method.total);
    if (has_chance_from_runs()) widen(&method);
  }
  std::sort(methods.begin(), methods.end(), changed_more);
  return methods;
}

}  // namespace hearth::profile
