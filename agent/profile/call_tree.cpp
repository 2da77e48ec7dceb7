#include "profile/call_tree.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "profile/frame_text.h"
#include "profile/sampling_variance.h"
#include "profile/stack_filter.h"
#include "profile/utf8.h"

namespace hearth::profile {
namespace {

class TreeBuilder {
 public:
  TreeBuilder(const Profile& profile, const WriteOptions& options)
      : profile_(profile), types_(profile.value_types.size()), nodes_(profile.nodes().size()), by_line_(options.lines) {
    number_frames(options.annotate);
    weigh_nodes(shown_stacks(profile, options));
    order_children();
  }

  CallTree build();

 private:
  // Source nodes that become one node of the tree: a span of order_.
  struct Group {
    uint32_t begin;
    uint32_t end;
    uint32_t depth;
  };

  std::vector<CallTree::Frame> spelled_frames() const;
  void number_frames(bool annotate);
  void weigh_nodes(const std::vector<bool>& shown);
  void order_children();
  void append_children(NodeId node) {
    for (uint32_t at = first_child_[node]; at < first_child_[node + 1]; ++at) order_.push_back(order_[at]);
  }
  void push_groups(uint32_t begin, uint32_t end, uint32_t depth);
  void emit(const Group& group);
  uint32_t frame_and_parts(const Group& group);

  uint32_t frame_of(NodeId node) const {
    return frame_of_source_[by_line_ ? profile_.nodes()[node].location : profile_.function_of(node)];
  }
  uint32_t name_of(NodeId node) const { return name_of_frame_[frame_of(node)]; }

  const Profile& profile_;
  const size_t types_;
  const size_t nodes_;
  const bool by_line_;
  std::vector<uint32_t> frame_of_source_;       // by location with lines, else by function
  std::vector<uint32_t> name_of_frame_;         // equal for frames that read the same; in the order of names
  std::vector<std::vector<int64_t>> self_;      // by value type, then source node
  std::vector<std::vector<int64_t>> variance_;  // the same, empty where it is not known
  std::vector<int64_t> weight_;                 // total of the last value type
  std::vector<bool> used_;                      // some shown stack goes through here
  std::vector<uint32_t>
      first_child_;            // the children of n are order_[first_child_[n]] up to order_[first_child_[n + 1]]
  std::vector<NodeId> order_;  // children by parent, by name; merged children lists are appended
  std::vector<Group> pending_;
  CallTree tree_;
};

// By function, or by location when lines are shown.
std::vector<CallTree::Frame> TreeBuilder::spelled_frames() const {
  std::vector<CallTree::Frame> frames;
  auto spell = [&](const Function& function, uint32_t line) {
    frames.push_back({valid_utf8(profile_.text(function.name)), function.kind});
    if (frames.back().name.empty()) frames.back().name = "[unknown]";
    if (line != 0 && is_java(function.kind)) frames.back().name.append(":").append(std::to_string(line));
  };
  if (by_line_) {
    for (const Location& location : profile_.locations()) spell(profile_.functions()[location.function], location.line);
  } else {
    for (const Function& function : profile_.functions()) spell(function, 0);
  }
  return frames;
}

void TreeBuilder::number_frames(bool annotate) {
  std::vector<CallTree::Frame> frames = spelled_frames();
  auto before = [](const CallTree::Frame& a, const CallTree::Frame& b) {
    return a.name != b.name ? a.name < b.name : a.kind < b.kind;
  };
  std::vector<uint32_t> sorted(frames.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) { return before(frames[a], frames[b]); });

  frame_of_source_.resize(frames.size());
  std::unordered_map<std::string, uint32_t> names;
  for (uint32_t source : sorted) {
    const CallTree::Frame& frame = frames[source];
    if (tree_.frames.empty() || before(tree_.frames.back(), frame)) {
      tree_.frames.push_back(frame);
      auto next = static_cast<uint32_t>(names.size());
      name_of_frame_.push_back(names.emplace(frame_text(frame.name, frame.kind, annotate), next).first->second);
    }
    frame_of_source_[source] = static_cast<uint32_t>(tree_.frames.size() - 1);
  }
}

void TreeBuilder::weigh_nodes(const std::vector<bool>& shown) {
  self_.assign(types_, std::vector<int64_t>(nodes_));
  variance_.assign(types_, {});
  std::vector<std::pair<size_t, SamplingVariance>> known;
  for (size_t type = 0; type < types_; ++type) {
    std::optional<SamplingVariance> chance = SamplingVariance::of(profile_, type);
    if (!chance) continue;
    known.emplace_back(type, *chance);
    variance_[type].resize(nodes_);
  }
  used_.assign(nodes_, false);
  for (size_t index = 0; index < profile_.sample_count(); ++index) {
    NodeId stack = profile_.sample(index).stack;
    if (!shown[stack]) continue;
    const int64_t* values = profile_.values(index);
    for (size_t type = 0; type < types_; ++type) {
      self_[type][stack] = saturating_sum(self_[type][stack], values[type]);
      if (values[type] != 0) used_[stack] = true;
    }
    for (const auto& [type, chance] : known)
      variance_[type][stack] = saturating_sum(variance_[type][stack], chance.variance(values));
  }
  weight_ = types_ == 0 ? std::vector<int64_t>(nodes_) : self_.back();
  for (size_t node = nodes_ - 1; node > 0; --node) {
    NodeId parent = profile_.nodes()[node].parent;
    weight_[parent] = saturating_sum(weight_[parent], weight_[node]);
    if (used_[node]) used_[parent] = true;
  }
}

// Two counting sorts, by name and then, keeping that order, by parent: linear in the nodes.
void TreeBuilder::order_children() {
  std::vector<uint32_t> next(name_of_frame_.size() + 1);
  for (NodeId node = 1; node < nodes_; ++node)
    if (used_[node]) ++next[name_of(node) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<NodeId> by_name(next.back());
  for (NodeId node = 1; node < nodes_; ++node)
    if (used_[node]) by_name[next[name_of(node)]++] = node;

  first_child_.assign(nodes_ + 1, 0);
  for (NodeId node : by_name) ++first_child_[profile_.nodes()[node].parent + 1];
  std::partial_sum(first_child_.begin(), first_child_.end(), first_child_.begin());
  std::vector<uint32_t> free(first_child_.begin(), first_child_.end() - 1);
  order_.resize(by_name.size());
  for (NodeId node : by_name) order_[free[profile_.nodes()[node].parent]++] = node;
}

// Pushed last to first, so that the stack gives them back in order.
void TreeBuilder::push_groups(uint32_t begin, uint32_t end, uint32_t depth) {
  while (end > begin) {
    uint32_t start = end - 1;
    while (start > begin && name_of(order_[start - 1]) == name_of(order_[start])) --start;
    pending_.push_back({start, end, depth});
    end = start;
  }
}

// The heaviest frame of the group; when it has several, what each of them weighs is kept.
uint32_t TreeBuilder::frame_and_parts(const Group& group) {
  if (group.end - group.begin == 1) return frame_of(order_[group.begin]);
  std::vector<std::pair<uint32_t, int64_t>> weights;  // few: the kinds of one name
  for (uint32_t at = group.begin; at < group.end; ++at) {
    uint32_t frame = frame_of(order_[at]);
    auto known = std::find_if(weights.begin(), weights.end(), [&](const auto& entry) { return entry.first == frame; });
    if (known == weights.end()) known = weights.insert(known, {frame, 0});
    known->second = saturating_sum(known->second, weight_[order_[at]]);
  }
  std::sort(weights.begin(), weights.end());  // frames of one name are numbered by kind
  if (weights.size() > 1) {
    auto node = static_cast<uint32_t>(tree_.frame.size());
    for (const auto& [frame, weight] : weights) tree_.kind_parts.push_back({node, tree_.frames[frame].kind, weight});
  }
  return std::max_element(weights.begin(), weights.end(),
                          [](const auto& a, const auto& b) {
                            return a.second != b.second ? a.second < b.second : a.first > b.first;
                          })
      ->first;
}

void TreeBuilder::emit(const Group& group) {
  tree_.depth.push_back(group.depth);
  tree_.frame.push_back(frame_and_parts(group));
  auto sum_of = [&](const std::vector<int64_t>& column) {
    int64_t sum = 0;
    for (uint32_t at = group.begin; at < group.end; ++at) sum = saturating_sum(sum, column[order_[at]]);
    return sum;
  };
  for (size_t type = 0; type < types_; ++type) {
    tree_.self[type].push_back(sum_of(self_[type]));
    if (!variance_[type].empty()) tree_.variance[type].push_back(sum_of(variance_[type]));
  }
}

CallTree TreeBuilder::build() {
  tree_.self.resize(types_);
  tree_.variance.resize(types_);
  push_groups(first_child_[0], first_child_[1], 1);
  while (!pending_.empty()) {
    Group group = pending_.back();
    pending_.pop_back();
    emit(group);
    NodeId node = order_[group.begin];
    if (group.end - group.begin == 1) {
      push_groups(first_child_[node], first_child_[node + 1], group.depth + 1);
      continue;
    }
    auto begin = static_cast<uint32_t>(order_.size());
    for (uint32_t at = group.begin; at < group.end; ++at) append_children(order_[at]);
    std::stable_sort(order_.begin() + begin, order_.end(), [&](NodeId a, NodeId b) { return name_of(a) < name_of(b); });
    push_groups(begin, static_cast<uint32_t>(order_.size()), group.depth + 1);
  }
  return std::move(tree_);
}

}  // namespace

int64_t CallTree::total(size_t value_type) const {
  int64_t sum = 0;
  for (int64_t value : self[value_type]) sum = saturating_sum(sum, value);
  return sum;
}

CallTree call_tree(const Profile& profile, const WriteOptions& options) {
  return TreeBuilder(profile, options).build();
}

}  // namespace hearth::profile
