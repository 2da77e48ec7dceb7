// Summary of a profile for reports: the heaviest methods and paths, and shares by a label.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile/analysis/call_tree.h"
#include "profile/model/profile.h"

namespace hearth::profile {

struct MethodWeight {
  std::string name;          // as in text outputs
  int64_t self = 0;          // while it was innermost
  int64_t total = 0;         // while it was anywhere in the stack, once per stack
  int64_t samples = 0;       // self, in the first value type
  double self_variance = 0;  // 0 also if unknown
  double total_variance = 0;
};

// Every method of the tree by its weight in value type `value`: heaviest self first, then heaviest total, then name.
std::vector<MethodWeight> method_weights(const CallTree& tree, size_t value, bool annotate);

// Whether value type `value` has classes. Classes may belong to another event of the profile.
bool has_classes(const CallTree& tree, size_t value);

// Moves the weight of each class to the method that allocated its objects.
CallTree at_allocating_methods(CallTree tree);

// A chain of calls, each with nearly all of its caller's weight.
struct Path {
  std::vector<std::string> frames;  // outermost first
  int64_t total = 0;                // of the first frame
  int64_t self = 0;                 // of all its frames
  std::vector<Path> callees;        // heaviest first
  double total_variance = 0;
  double self_variance = 0;
};

// The paths from the root that hold most of the weight, at most `limit` of them (callees count too).
std::vector<Path> hottest_paths(const CallTree& tree, size_t value, bool annotate, size_t limit);

struct LabelWeight {
  std::string label;  // the label's value; empty: samples without it
  int64_t total = 0;
  int64_t samples = 0;
  MethodWeight hottest;  // by self value; its total is unknown
};

// Shares by the value of a label, heaviest first. If stacks begin with their thread, `thread` is a label.
std::vector<LabelWeight> label_weights(const Profile& profile, const WriteOptions& options, std::string_view key,
                                       size_t value);

}  // namespace hearth::profile
