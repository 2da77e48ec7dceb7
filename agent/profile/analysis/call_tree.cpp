#include "profile/analysis/call_tree.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "profile/analysis/sampling_variance.h"
#include "profile/model/stack_filter.h"
#include "profile/page/tree_order.h"

namespace hearth::profile {
namespace {

class TreeBuilder {
 public:
  TreeBuilder(const Profile& profile, const WriteOptions& options, const std::vector<VarianceOfValue>& variances)
      : profile_(profile),
        options_(options),
        variances_(variances),
        types_(profile.value_types.size()),
        nodes_(profile.nodes().size()),
        numbers_(frames_as_read(profile, options)) {}

  CallTree build();

 private:
  void weigh_nodes(const std::vector<bool>& shown);
  void emit(const TreeOrder::Group& group);
  uint32_t heaviest_frame(const TreeOrder::Group& group);
  uint32_t frame_of(NodeId node) const { return numbers_.of_location[profile_.nodes()[node].location]; }

  const Profile& profile_;
  const WriteOptions& options_;
  const std::vector<VarianceOfValue>& variances_;
  const size_t types_;
  const size_t nodes_;
  TreeFrames numbers_;
  std::vector<std::vector<int64_t>> self_;     // by value type, then source node
  std::vector<std::vector<double>> variance_;  // likewise, empty if unknown
  std::vector<int64_t> weight_;                // total of the last value type
  CallTree tree_;
};

void TreeBuilder::weigh_nodes(const std::vector<bool>& shown) {
  self_.assign(types_, std::vector<int64_t>(nodes_));
  variance_.assign(types_, {});
  for (size_t type = 0; type < types_; ++type)
    if (variances_[type]) variance_[type].resize(nodes_);
  for (size_t index = 0; index < profile_.sample_count(); ++index) {
    NodeId stack = profile_.sample(index).stack;
    if (!shown[stack]) continue;
    const int64_t* values = profile_.values(index);
    for (size_t type = 0; type < types_; ++type) {
      self_[type][stack] = saturating_sum(self_[type][stack], values[type]);
      if (variances_[type]) variance_[type][stack] += variances_[type](values);
    }
  }
  weight_ = types_ == 0 ? std::vector<int64_t>(nodes_) : self_.back();
  for (size_t node = nodes_ - 1; node > 0; --node) {
    NodeId parent = profile_.nodes()[node].parent;
    weight_[parent] = saturating_sum(weight_[parent], weight_[node]);
  }
}

uint32_t TreeBuilder::heaviest_frame(const TreeOrder::Group& group) {
  if (group.end - group.begin == 1) return frame_of(*group.begin);
  std::vector<std::pair<uint32_t, int64_t>> weights;  // few: the kinds of one name
  for (const NodeId* node = group.begin; node < group.end; ++node) {
    uint32_t frame = frame_of(*node);
    auto known = std::find_if(weights.begin(), weights.end(), [&](const auto& entry) { return entry.first == frame; });
    if (known == weights.end()) known = weights.insert(known, {frame, 0});
    known->second = saturating_sum(known->second, weight_[*node]);
  }
  return std::max_element(weights.begin(), weights.end(),
                          [](const auto& a, const auto& b) {
                            return a.second != b.second ? a.second < b.second : a.first > b.first;
                          })
      ->first;
}

void TreeBuilder::emit(const TreeOrder::Group& group) {
  tree_.depth.push_back(group.depth);
  tree_.frame.push_back(heaviest_frame(group));
  for (size_t type = 0; type < types_; ++type) {
    int64_t self = 0;
    for (const NodeId* node = group.begin; node < group.end; ++node) self = saturating_sum(self, self_[type][*node]);
    tree_.self[type].push_back(self);
    if (variance_[type].empty()) continue;
    double variance = 0;
    for (const NodeId* node = group.begin; node < group.end; ++node) variance += variance_[type][*node];
    tree_.variance[type].push_back(variance);
  }
}

CallTree TreeBuilder::build() {
  std::vector<bool> shown = shown_stacks(profile_, options_);
  weigh_nodes(shown);
  std::vector<uint32_t> rank(numbers_.of_location.size());
  for (size_t location = 0; location < rank.size(); ++location)
    rank[location] = numbers_.reading[numbers_.of_location[location]];
  tree_.self.resize(types_);
  tree_.variance.resize(types_);
  TreeOrder(profile_, used_nodes(profile_, shown), std::move(rank)).walk([&](const TreeOrder::Group& group) {
    emit(group);
  });
  tree_.frames = std::move(numbers_.frames);
  return std::move(tree_);
}

}  // namespace

int64_t CallTree::total(size_t value_type) const {
  int64_t sum = 0;
  for (int64_t value : self[value_type]) sum = saturating_sum(sum, value);
  return sum;
}

CallTree call_tree(const Profile& profile, const WriteOptions& options) {
  std::vector<VarianceOfValue> variances(profile.value_types.size());
  for (size_t type = 0; type < variances.size(); ++type) {
    if (std::optional<SamplingVariance> sized = SamplingVariance::of(profile, type))
      variances[type] = [chance = *sized](const int64_t* values) { return chance.variance(values); };
    else if (std::optional<CountedVariance> counted = CountedVariance::of(profile, type))
      variances[type] = [chance = *counted](const int64_t* values) { return chance.variance(values); };
  }
  return call_tree(profile, options, variances);
}

CallTree call_tree(const Profile& profile, const WriteOptions& options, const std::vector<VarianceOfValue>& variances) {
  return TreeBuilder(profile, options, variances).build();
}

}  // namespace hearth::profile
