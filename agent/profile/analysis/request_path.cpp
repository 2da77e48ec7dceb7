#include "profile/analysis/request_path.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "profile/analysis/call_tree.h"
#include "profile/analysis/program_method.h"
#include "profile/analysis/waits_for_others.h"
#include "profile/model/event_view.h"
#include "profile/model/label_values.h"

namespace hearth::profile {
namespace {

constexpr size_t kMostCauses = 3;  // of one kind

using Times = std::map<std::pair<std::string, std::string>, int64_t>;  // by what and object

std::string method_of(const Profile& profile, NodeId stack) {
  ProgramMethod method;
  for (NodeId node = stack; node != 0; node = profile.nodes()[node].parent) {
    FunctionId function = profile.function_of(node);
    if (method.add(profile.function_name(function), profile.functions()[function].kind)) break;
  }
  return std::string(method.name());
}

std::vector<PathCause> causes_of(PathCause::Kind kind, const Times& times) {
  int64_t total = 0;
  std::vector<PathCause> causes;
  for (const auto& [names, time] : times) {
    total += time;
    causes.push_back({kind, names.first, names.second, time, 0});
  }
  for (PathCause& cause : causes)
    if (total != 0) cause.share = static_cast<double>(cause.time_ns) / static_cast<double>(total);
  std::stable_sort(causes.begin(), causes.end(), [](const auto& a, const auto& b) { return a.time_ns > b.time_ns; });
  if (causes.size() > kMostCauses) causes.resize(kMostCauses);
  return causes;
}

bool has_event(const Profile& profile, const char* name) {
  return event_named(events_of(profile), name) != nullptr;
}

// Times by the method that waits.
std::map<std::string, Times> waits_by_method(const Profile& profile, const char* event) {
  std::map<std::string, Times> by_method;
  if (!has_event(profile, event)) return by_method;
  Profile own = only_events(profile, {event});
  size_t value = own.value_types.size() - 1;
  for (const WaitForOther& one : waits_for_others(call_tree(own, {}), value))
    by_method[one.waiter][{one.other, one.object}] += one.total;
  return by_method;
}

std::map<std::string, Times> io_by_method(const Profile& profile, const std::vector<LabelChoice>& choices) {
  std::map<std::string, Times> by_method;
  if (!has_event(profile, "io")) return by_method;
  Profile own = labelled_of_many(only_events(profile, {"io"}), choices);
  size_t value = event_named(events_of(own), "io")->weight;
  LabelValues calls(own, kIoLabel), peers(own, kPeerLabel), paths(own, kPathLabel);
  for (size_t i = 0; i < own.sample_count(); i++) {
    const Profile::Sample& sample = own.sample(i);
    std::string what(calls.of(sample));
    for (const LabelValues* target : {&peers, &paths})
      if (!target->of(sample).empty()) what.append(" ").append(target->of(sample));
    if (own.values(i)[value] != 0) by_method[method_of(own, sample.stack)][{what, ""}] += own.values(i)[value];
  }
  return by_method;
}

// The steps without their causes from other events, and their safepoints.
RequestPath steps_of(const Profile& wall) {
  struct Step {
    int64_t time_ns = 0;
    Times operations;
  };
  RequestPath path;
  std::map<std::pair<std::string, std::string>, Step> steps;
  std::set<std::string> threads;
  size_t value = wall.value_types.size() - 1;
  LabelValues states(wall, kStateLabel), operations(wall, kSafepointLabel), names(wall, kThreadLabel),
      tids(wall, kTidLabel);
  for (size_t i = 0; i < wall.sample_count(); i++) {
    const Profile::Sample& sample = wall.sample(i);
    int64_t time = wall.values(i)[value];
    std::string state(states.of(sample));
    Step& step = steps[{state.empty() ? std::string(kRunningState) : state, method_of(wall, sample.stack)}];
    step.time_ns += time;
    if (!operations.of(sample).empty()) step.operations[{std::string(operations.of(sample)), ""}] += time;
    if (!names.of(sample).empty()) threads.insert(std::string(names.of(sample)) + " " + std::string(tids.of(sample)));
    path.time_ns += time;
  }
  path.threads = threads.size();
  for (auto& [names_of_step, step] : steps)
    path.steps.push_back({names_of_step.first, names_of_step.second, step.time_ns,
                          causes_of(PathCause::Kind::kSafepoint, step.operations)});
  std::stable_sort(path.steps.begin(), path.steps.end(),
                   [](const PathStep& a, const PathStep& b) { return a.time_ns > b.time_ns; });
  return path;
}

}  // namespace

RequestPath request_path(const Profile& profile, const std::vector<LabelChoice>& choices) {
  if (!has_event(profile, "wall"))
    throw FormatError("the profile has no wall time; record it with -e wall,holders,wakers,io");
  RequestPath path = steps_of(only_labelled(only_events(profile, {"wall"}), choices));
  std::map<std::string, Times> holders = waits_by_method(profile, "holders"),
                               wakers = waits_by_method(profile, "wakers"), io = io_by_method(profile, choices);
  auto add = [](PathCause::Kind kind, const std::map<std::string, Times>& by_method, PathStep* step) {
    auto found = by_method.find(step->method);
    if (found == by_method.end()) return;
    for (PathCause& cause : causes_of(kind, found->second)) step->causes.push_back(std::move(cause));
  };
  for (const char* event : {"holders", "wakers", "io"})
    if (!has_event(profile, event)) path.missing.emplace_back(event);
  for (PathStep& step : path.steps) {
    bool waits_for_thread = step.state == "monitor" || step.state == "parked";
    bool waits_for_system = step.state == "socket" || step.state == "file" || step.state == "syscall";
    if (waits_for_thread) add(PathCause::Kind::kHolder, holders, &step);
    if (waits_for_thread) add(PathCause::Kind::kWaker, wakers, &step);
    if (waits_for_system) add(PathCause::Kind::kIo, io, &step);
  }
  return path;
}

}  // namespace hearth::profile
