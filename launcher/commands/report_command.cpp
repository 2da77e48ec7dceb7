#include "launcher/commands/report_command.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"
#include "launcher/commands/report.h"
#include "launcher/commands/stored_profile.h"
#include "launcher/text/output_file.h"
#include "profile/analysis/call_tree.h"
#include "profile/analysis/share_bounds.h"
#include "profile/analysis/stack_quality.h"
#include "profile/model/event_view.h"
#include "profile/model/label_values.h"
#include "profile/model/shown_samples.h"

namespace hearth::launcher {
namespace {

template <typename Row>
void keep(std::vector<Row>* rows, size_t limit) {
  if (rows->size() > limit) rows->resize(limit);
}

// Replaces the rows beyond `limit` by their sum.
OtherGroups take_others(std::vector<profile::LabelWeight>* groups, size_t limit) {
  OtherGroups others;
  for (size_t i = limit; i < groups->size(); ++i) {
    const profile::LabelWeight& group = (*groups)[i];
    others.count++;
    others.total = profile::saturating_sum(others.total, group.total);
    others.samples = profile::saturating_sum(others.samples, group.samples);
  }
  keep(groups, limit);
  return others;
}

std::vector<profile::LabelWeight> groups_of(const profile::Profile& profile, const ReportRequest& request,
                                            size_t value) {
  std::vector<std::string> known = profile::label_keys(profile);
  if (std::find(known.begin(), known.end(), request.label) == known.end())
    throw Error(formatted("{} has no label {}", request.file, request.label),
                profile::label_keys_text(profile, request.label));
  return profile::label_weights(profile, request.options, request.label, value);
}

// Methods with a self value.
std::vector<profile::MethodWeight> methods_of(const profile::CallTree& tree, size_t value,
                                              const ReportRequest& request) {
  std::vector<profile::MethodWeight> methods = profile::method_weights(tree, value, request.options.annotate);
  auto only_calls = [](const profile::MethodWeight& method) { return method.self == 0; };
  methods.erase(std::remove_if(methods.begin(), methods.end(), only_calls), methods.end());
  keep(&methods, request.limit);
  return methods;
}

void refuse_negative(const std::vector<int64_t>& values, const std::string& file) {
  if (std::all_of(values.begin(), values.end(), [](int64_t value) { return value >= 0; })) return;
  throw Error(formatted("{} has negative values (a difference of profiles), so it has no shares", file),
              "use hearth convert to write it in another format");
}

std::vector<std::string> others_of(const profile::Profile& profile, const profile::Profile& shown) {
  if (shown.value_types.size() == profile.value_types.size()) return {};
  std::vector<std::string> others;
  for (const profile::ProfileEvent& event : profile::events_of(profile)) {
    if (event.name != shown.metadata.event) others.push_back(event.name);
  }
  return others;
}

double divided(int64_t value, int64_t by) {
  return by == 0 ? 0 : static_cast<double>(value) / static_cast<double>(by);
}

// Samples come as independent events at worst, so that their number n is off by its root.
double relative_bound(int64_t samples, int64_t other_samples) {
  if (samples <= 0 || other_samples <= 0) return 0;
  return profile::kDeviationsOf95Percent * std::sqrt(divided(1, samples) + divided(1, other_samples));
}

Ratios ratios_of(const profile::Profile& profile, const ReportRequest& request, const Report& report) {
  profile::WriteOptions options = request.options;
  options.event = request.ratio;
  std::optional<profile::Profile> view = profile::view_of(profile, profile::Format::kFlat, options);
  const profile::Profile& divisor = view ? *view : profile;
  size_t value = options.lens == profile::Lens::kSamples ? 0 : divisor.value_types.size() - 1;
  profile::CallTree tree = profile::call_tree(divisor, options);
  refuse_negative(tree.self[value], report.file);
  Ratios ratios;
  ratios.event = request.ratio;
  ratios.unit = divisor.value_types[value].unit;
  ratios.whole = divided(report.total, tree.total(value));
  std::unordered_map<std::string, profile::MethodWeight> by;
  for (profile::MethodWeight& method : profile::method_weights(tree, value, options.annotate))
    by.emplace(method.name, std::move(method));
  for (const profile::MethodWeight& method : report.methods) {
    auto found = by.find(method.name);
    if (found == by.end() || found->second.self == 0) continue;
    double self = divided(method.self, found->second.self);
    double bound = self * relative_bound(method.samples, found->second.samples);
    ratios.of_methods[method.name] = {self, divided(method.total, found->second.total), bound};
  }
  return ratios;
}

Report make_report(const profile::Profile& profile, const ReportRequest& request) {
  Report report;
  report.file = request.file == "-" ? "standard input" : request.file;
  report.about = profile.metadata;
  report.events = profile::events_text(profile);
  report.values = profile.value_types;
  report.is_empty = profile.sample_count() == 0;
  const profile::WriteOptions& chosen = request.options;
  report.filtered = !chosen.include.empty() || !chosen.exclude.empty() || !chosen.labels.empty();
  report.quality = profile.quality.engine.empty() ? profile::quality_of_stacks(profile) : profile.quality;
  if (profile.value_types.empty()) return report;
  size_t value = request.options.lens == profile::Lens::kSamples ? 0 : profile.value_types.size() - 1;
  report.value = profile.value_types[value];
  report.shown = profile::shown_rows(profile);
  report.samples = profile::samples_with(profile, value);
  profile::CallTree tree = profile::call_tree(profile, request.options);
  refuse_negative(tree.self[value], report.file);
  report.total = tree.total(value);
  report.bounds = profile::ShareBounds(tree, value);
  report.methods = methods_of(tree, value, request);
  if (profile::has_classes(tree, value))
    report.allocating = methods_of(profile::at_allocating_methods(tree), value, request);
  report.waits = profile::waits_for_others(tree, value);
  if (report.waits.size() > request.limit) report.waits.resize(request.limit);
  report.paths = profile::hottest_paths(tree, value, request.options.annotate, request.limit);
  if (request.label.empty()) return report;
  report.label = request.label;
  if (report.total == 0) return report;
  report.groups = groups_of(profile, request, value);
  report.other_groups = take_others(&report.groups, request.limit);
  return report;
}

std::string event_of_locks(const profile::Profile& profile, const std::string& file) {
  std::vector<profile::ProfileEvent> events = profile::events_of(profile);
  for (const char* name : {"holders", "wakers", "lock"})
    if (std::any_of(events.begin(), events.end(), [&](const auto& event) { return event.name == name; })) return name;
  throw Error(formatted("{} has no event holders, wakers or lock", file), "profile with -e holders,wakers,lock");
}

}  // namespace

void run_report_command(const ReportRequest& given) {
  ReportRequest request = given;
  profile::Profile profile = read_stored_profile(request.file, {request.options.labels, request.time}, request.label);
  if (request.names.any()) profile = profile::with_name_style(profile, request.names);
  if (!request.path_of.empty()) {
    std::vector<profile::LabelChoice> chosen = request.path_of;
    chosen.insert(chosen.end(), request.options.labels.begin(), request.options.labels.end());
    PathReport path = {request.file == "-" ? "standard input" : request.file, profile::choices_text(chosen),
                       profile::request_path(profile, chosen), request.limit};
    return write_stdout(request.json ? path_json(path) : path_text(path, style_of_stdout()));
  }
  if (request.is_of_locks) request.options.event = event_of_locks(profile, request.file);
  std::optional<profile::Profile> view = profile::view_of(profile, profile::Format::kFlat, request.options);
  const profile::Profile& shown = view ? *view : profile;
  Report report = make_report(shown, request);
  report.others = others_of(profile, shown);
  if (!request.ratio.empty()) report.ratios = ratios_of(profile, request, report);
  write_stdout(request.json ? report_json(report) : report_text(report, style_of_stdout()));
}

}  // namespace hearth::launcher
