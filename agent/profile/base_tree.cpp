#include "profile/base_tree.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "base/free_memory.h"
#include "profile/sampling_variance.h"
#include "profile/stack_filter.h"
#include "profile/tree_order.h"

namespace hearth::profile {
namespace {

class BaseTreeBuilder {
 public:
  BaseTreeBuilder(const Profile& profile, const WriteOptions& options)
      : profile_(profile), types_(profile.value_types.size()), shown_(shown_stacks(profile, options)) {}

  BaseTree build() {
    order_nodes();
    find_counted();
    number_label_sets();
    order_samples();
    write_rows();
    tree_.time_step_ns = profile_.metadata.time_step_ns;
    return std::move(tree_);
  }

 private:
  void order_nodes();
  void find_counted();
  void number_label_sets();
  void order_samples();
  void write_rows();
  void add_row(uint32_t sample);
  auto key_of(uint32_t sample) const {
    const Profile::Sample& one = profile_.sample(sample);
    return std::tuple(label_set_[one.labels], one.time);
  }

  const Profile& profile_;
  const size_t types_;
  const std::vector<bool> shown_;
  std::vector<uint32_t> place_;      // by the profile's node: the tree's, until it has samples_
  std::vector<uint32_t> counted_;    // until then: the samples that weigh something and are shown
  std::vector<uint32_t> label_set_;  // by the profile's label set: the tree's
  std::vector<uint32_t> samples_;    // the counted, by the tree's node
  std::vector<uint32_t> ends_;       // by the tree's node: where its samples end in samples_
  std::vector<std::pair<size_t, SamplingVariance>> chances_;  // of the value types of which it is known
  BaseTree tree_;
};

void BaseTreeBuilder::find_counted() {
  for (uint32_t sample = 0; sample < profile_.sample_count(); ++sample) {
    const int64_t* values = profile_.values(sample);
    bool weighs = std::any_of(values, values + types_, [](int64_t value) { return value != 0; });
    if (weighs && shown_[profile_.sample(sample).stack]) counted_.push_back(sample);
  }
}

void BaseTreeBuilder::order_nodes() {
  TreeFrames numbers = frames_apart(profile_);
  place_.resize(profile_.nodes().size());
  TreeOrder order(profile_, used_nodes(profile_, shown_), numbers.of_location);
  tree_.depth.reserve(order.size());
  tree_.frame.reserve(order.size());
  order.walk([&](const TreeOrder::Group& group) {
    for (const NodeId* node = group.begin; node < group.end; ++node)
      place_[*node] = static_cast<uint32_t>(tree_.depth.size());
    tree_.depth.push_back(group.depth);
    tree_.frame.push_back(numbers.of_location[profile_.nodes()[*group.begin].location]);
  });
  tree_.frames = std::move(numbers.frames);
}

void BaseTreeBuilder::number_label_sets() {
  const std::vector<LabelSet>& sets = profile_.label_sets();
  std::vector<bool> used(sets.size());
  used[0] = true;
  for (uint32_t sample : counted_) used[profile_.sample(sample).labels] = true;
  std::vector<LabelSetId> sorted;
  for (LabelSetId set = 0; set < sets.size(); ++set)
    if (used[set]) sorted.push_back(set);
  std::sort(sorted.begin(), sorted.end(), [&](LabelSetId a, LabelSetId b) { return sets[a] < sets[b]; });
  label_set_.resize(sets.size());
  for (LabelSetId set : sorted) {
    label_set_[set] = static_cast<uint32_t>(tree_.label_sets.size());
    tree_.label_sets.push_back(sets[set]);
  }
}

// By node with a counting sort, then the few of each node.
void BaseTreeBuilder::order_samples() {
  std::vector<uint32_t> next(tree_.size() + 1);
  for (uint32_t sample : counted_) ++next[place_[profile_.sample(sample).stack] + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  samples_.resize(next.back());
  for (uint32_t sample : counted_) samples_[next[place_[profile_.sample(sample).stack]]++] = sample;
  next.pop_back();
  ends_ = std::move(next);
  free_memory(&place_);
  free_memory(&counted_);
  auto begin = samples_.begin();
  for (uint32_t end_place : ends_) {
    auto end = samples_.begin() + end_place;
    if (end - begin > 1) std::sort(begin, end, [&](uint32_t a, uint32_t b) { return key_of(a) < key_of(b); });
    begin = end;
  }
}

void BaseTreeBuilder::add_row(uint32_t sample) {
  std::tie(tree_.labels.emplace_back(), tree_.time.emplace_back()) = key_of(sample);
  for (std::vector<int64_t>& column : tree_.values) column.push_back(0);
  for (const auto& [type, chance] : chances_) tree_.variance[type].push_back(0);
}

void BaseTreeBuilder::write_rows() {
  tree_.values.resize(types_);
  tree_.variance.resize(types_);
  for (size_t type = 0; type < types_; ++type) {
    tree_.values[type].reserve(samples_.size());
    if (std::optional<SamplingVariance> chance = SamplingVariance::of(profile_, type))
      chances_.emplace_back(type, *chance);
  }
  tree_.labels.reserve(samples_.size());
  tree_.time.reserve(samples_.size());
  tree_.row_count = std::move(ends_);
  uint32_t at = 0;
  for (uint32_t& count : tree_.row_count) {
    size_t rows_before = tree_.rows();
    for (uint32_t first = at, end = count; at < end; ++at) {
      uint32_t sample = samples_[at];
      // Stacks that differ in what no tree shows (a source file) may have become one.
      if (at == first || key_of(samples_[at - 1]) != key_of(sample)) add_row(sample);
      const int64_t* values = profile_.values(sample);
      for (size_t type = 0; type < types_; ++type)
        tree_.values[type].back() = saturating_sum(tree_.values[type].back(), values[type]);
      for (const auto& [type, chance] : chances_) tree_.variance[type].back() += chance.variance(values);
    }
    count = static_cast<uint32_t>(tree_.rows() - rows_before);
  }
}

}  // namespace

int64_t BaseTree::total(size_t value_type) const {
  return std::accumulate(values[value_type].begin(), values[value_type].end(), int64_t{0}, saturating_sum);
}

BaseTree base_tree(const Profile& profile, const WriteOptions& options) {
  return BaseTreeBuilder(profile, options).build();
}

}  // namespace hearth::profile
