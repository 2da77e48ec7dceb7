#include "profile/model/stack_filter.h"

#include <algorithm>

#include "profile/formats/frame_text.h"

namespace hearth::profile {
namespace {

// By function, so that each name is matched once, however many stacks contain it.
std::vector<bool> matching_functions(const Profile& profile, const std::vector<std::string>& patterns, bool annotate) {
  std::vector<bool> matching(profile.functions().size());
  for (FunctionId id = 0; id < matching.size(); ++id) {
    std::string_view name = profile.function_name(id);
    std::string text = frame_text(name, profile.functions()[id].kind, annotate);
    matching[id] = std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
      return matches_pattern(pattern, name) || matches_pattern(pattern, text);
    });
  }
  return matching;
}

}  // namespace

bool matches_pattern(std::string_view pattern, std::string_view name) {
  bool open_start = !pattern.empty() && pattern.front() == '*';
  if (open_start) pattern.remove_prefix(1);
  bool open_end = !pattern.empty() && pattern.back() == '*';
  if (open_end) pattern.remove_suffix(1);
  if (open_start && open_end) return name.find(pattern) != std::string_view::npos;
  if (name.size() < pattern.size()) return false;
  if (open_end) return name.substr(0, pattern.size()) == pattern;
  if (open_start) return name.substr(name.size() - pattern.size()) == pattern;
  return name == pattern;
}

std::vector<bool> shown_stacks(const Profile& profile, const WriteOptions& options) {
  std::vector<bool> shown(profile.nodes().size(), true);
  if (options.include.empty() && options.exclude.empty()) return shown;
  std::vector<bool> wanted = matching_functions(profile, options.include, options.annotate);
  std::vector<bool> unwanted = matching_functions(profile, options.exclude, options.annotate);
  // Parents precede their children, so one pass passes both results down all stacks.
  std::vector<bool> included(shown.size(), options.include.empty());
  std::vector<bool> excluded(shown.size(), false);
  for (NodeId node = 1; node < shown.size(); ++node) {
    NodeId parent = profile.nodes()[node].parent;
    FunctionId function = profile.function_of(node);
    included[node] = included[parent] || wanted[function];
    excluded[node] = excluded[parent] || unwanted[function];
  }
  for (NodeId node = 0; node < shown.size(); ++node) shown[node] = included[node] && !excluded[node];
  return shown;
}

}  // namespace hearth::profile
