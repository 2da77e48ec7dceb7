#include "profile/analysis/stack_quality.h"

#include <algorithm>
#include <string>

namespace hearth::profile {
namespace {

constexpr std::string_view kFailureWords[] = {
    "unknown_Java",  "not_walkable_Java", "unknown_not_Java", "not_walkable_not_Java", "deoptimization",
    "GC_active",     "thread_exit",       "no_class_load",    "no_Java_frame",         "fault",
    "parked_frames",
};

std::string_view inside_brackets(std::string_view name) {
  bool bracketed = name.size() > 2 && name.front() == '[' && name.back() == ']';
  return bracketed ? name.substr(1, name.size() - 2) : "";
}

// Frames without a symbol are named after their library.
bool is_library(std::string_view name) {
  if (name == "[vdso]") return true;
  std::string_view end = ".so";
  if (name.size() > end.size() && name.substr(name.size() - end.size()) == end) return true;
  return name.find(".so.") != std::string_view::npos && name.find_first_of("`(") == std::string_view::npos;
}

class StackReader {
 public:
  explicit StackReader(const Profile& profile) : profile_(profile) {}

  Quality read() {
    for (size_t index = 0; index < profile_.sample_count(); ++index) {
      int64_t samples = profile_.values(index)[0];
      if (samples > 0) count(profile_.sample(index).stack, static_cast<uint64_t>(samples));
    }
    return quality_;
  }

 private:
  const Function& function(NodeId node) const { return profile_.functions()[profile_.function_of(node)]; }

  void count(NodeId stack, uint64_t samples) {
    for (NodeId node = stack; node != 0; node = profile_.nodes()[node].parent) {
      if (function(node).kind != FrameKind::kMarker) continue;
      std::string_view word = inside_brackets(profile_.text(function(node).name));
      if (word == "lost") {
        quality_.lost += samples;
        return;
      }
      if (word == "truncated") quality_.truncated += samples;
      if (is_failure_word(word)) quality_.failures[std::string(word)] += samples;
    }
    quality_.samples += samples;
    count_symbol(stack, samples);
  }

  void count_symbol(NodeId stack, uint64_t samples) {
    NodeId node = stack;
    while (node != 0 && function(node).kind == FrameKind::kKernel) node = profile_.nodes()[node].parent;
    if (node == 0) return;
    std::string_view name = profile_.text(function(node).name);
    bool nameless = function(node).kind == FrameKind::kNative ? is_library(name) : name == "[unknown]";
    if (nameless) quality_.without_symbols[std::string(name)] += samples;
  }

  const Profile& profile_;
  Quality quality_;
};

}  // namespace

Quality quality_of_stacks(const Profile& profile) {
  return profile.value_types.empty() ? Quality() : StackReader(profile).read();
}

bool is_failure_word(std::string_view word) {
  return std::find(std::begin(kFailureWords), std::end(kFailureWords), word) != std::end(kFailureWords);
}

}  // namespace hearth::profile
