// What a profile comes to: the methods and the paths that weigh most, and shares by a label. For reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile/analysis/call_tree.h"
#include "profile/model/profile.h"

namespace hearth::profile {

struct MethodWeight {
  std::string name;          // as text outputs spell it
  int64_t self = 0;          // while it was innermost
  int64_t total = 0;         // while it was anywhere in the stack, once a stack
  int64_t samples = 0;       // self, in the first value type
  double self_variance = 0;  // 0 also where it is not known
  double total_variance = 0;
};

// Every method of the tree by its weight in value type `value`: heaviest self first, then heaviest total, then name.
std::vector<MethodWeight> method_weights(const CallTree& tree, size_t value, bool annotate);

// Whether classes have some of value type `value`. Another event of the same profile may be that of its classes.
bool has_classes(const CallTree& tree, size_t value);

// Each class's weight is given to the method that allocated its objects.
CallTree at_allocating_methods(CallTree tree);

// A run of calls in which each takes nearly all of what its caller has.
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
  MethodWeight hottest;  // by self; its total is not known
};

// Shares by the value of a label, heaviest first. Where stacks begin with their thread, `thread` is a label of them.
std::vector<LabelWeight> label_weights(const Profile& profile, const WriteOptions& options, std::string_view key,
                                       size_t value);

}  // namespace hearth::profile
