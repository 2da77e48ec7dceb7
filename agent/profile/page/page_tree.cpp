#include "profile/page/page_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "profile/analysis/sampling_variance.h"
#include "profile/codec/bytes.h"
#include "profile/model/stack_filter.h"
#include "profile/page/tree_order.h"

namespace hearth::profile {
namespace {

constexpr double kMostDeviation = 9e18;  // largest that an integer can represent

uint64_t coded_value(int64_t value) {
  if (value < 0)
    throw FormatError("a flame graph cannot show negative values (a difference of profiles); write pprof or collapsed");
  return static_cast<uint64_t>(value);
}

// Finds the samples of each stack.
class StackSamples {
 public:
  // `in_order`: stacks will be requested in the order of the profile, except for a few jumps.
  StackSamples(const Profile& profile, bool in_order) : profile_(profile), is_ordered_(in_order) {
    for (size_t at = 1; at < profile.sample_count() && is_ordered_; ++at)
      is_ordered_ = profile.sample(at - 1).stack <= profile.sample(at).stack;
    if (!is_ordered_) sort();
  }

  template <typename Visit>
  void visit(NodeId stack, const Visit& visit) {
    if (!is_ordered_) {
      for (uint32_t at = ends_[stack]; at < ends_[stack + 1]; ++at) visit(sorted_[at]);
      return;
    }
    if (!is_at(stack)) next_ = first_of(stack);
    for (; next_ < profile_.sample_count() && profile_.sample(next_).stack == stack; ++next_) visit(next_);
  }

 private:
  // Whether the samples before the next one are those of all stacks before this one.
  bool is_at(NodeId stack) const {
    return (next_ == 0 || profile_.sample(next_ - 1).stack < stack) &&
           (next_ == profile_.sample_count() || profile_.sample(next_).stack >= stack);
  }

  uint32_t first_of(NodeId stack) const {
    uint32_t begin = 0;
    for (auto end = static_cast<uint32_t>(profile_.sample_count()); begin < end;) {
      uint32_t middle = begin + (end - begin) / 2;
      if (profile_.sample(middle).stack < stack)
        begin = middle + 1;
      else
        end = middle;
    }
    return begin;
  }

  void sort() {
    ends_.resize(profile_.nodes().size() + 2);
    for (uint32_t at = 0; at < profile_.sample_count(); ++at) ++ends_[profile_.sample(at).stack + 2];
    std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
    sorted_.resize(profile_.sample_count());
    for (uint32_t at = 0; at < profile_.sample_count(); ++at) sorted_[ends_[profile_.sample(at).stack + 1]++] = at;
  }

  const Profile& profile_;
  bool is_ordered_;  // by stack
  uint32_t next_ = 0;
  std::vector<uint32_t> sorted_;  // only if they are not ordered
  std::vector<uint32_t> ends_;    // by node: end of the previous stack in sorted_
};

class PageTreeBuilder {
 public:
  PageTreeBuilder(const Profile& profile, const WriteOptions& options)
      : profile_(profile),
        types_(profile.value_types.size()),
        shown_(shown_stacks(profile, options)),
        sum_(types_),
        variance_(types_) {}

  PageTree build();

 private:
  bool counts(uint32_t sample) const;
  void number_label_sets();
  void find_chances();
  void add_node(const TreeOrder::Group& group, uint32_t frame);
  void add_rows(const TreeOrder::Group& group);
  void put_row(const std::tuple<uint32_t, TimeStep>& key);
  std::tuple<uint32_t, TimeStep> key_of(uint32_t sample) const {
    const Profile::Sample& one = profile_.sample(sample);
    return {label_set_[one.labels], one.time};
  }

  const Profile& profile_;
  const size_t types_;
  const std::vector<bool> shown_;
  std::optional<StackSamples> samples_of_;
  std::vector<uint32_t> label_set_;                           // profile's label set -> tree's label set
  std::vector<std::pair<size_t, SamplingVariance>> chances_;  // of value types with a known variance
  uint32_t depth_before_ = 0;
  std::vector<uint32_t> samples_;  // of the node being added
  std::vector<int64_t> sum_;       // of the row, by value type
  std::vector<double> variance_;
  PageTree tree_;
};

bool PageTreeBuilder::counts(uint32_t sample) const {
  const int64_t* values = profile_.values(sample);
  return shown_[profile_.sample(sample).stack] &&
         std::any_of(values, values + types_, [](int64_t value) { return value != 0; });
}

void PageTreeBuilder::number_label_sets() {
  const std::vector<LabelSet>& sets = profile_.label_sets();
  std::vector<bool> used(sets.size());
  used[0] = true;
  for (uint32_t sample = 0; sample < profile_.sample_count(); ++sample)
    if (counts(sample)) used[profile_.sample(sample).labels] = true;
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

void PageTreeBuilder::find_chances() {
  tree_.values.resize(types_);
  tree_.deviations.resize(types_);
  tree_.has_deviations.resize(types_);
  for (size_t type = 0; type < types_; ++type) {
    std::optional<SamplingVariance> chance = SamplingVariance::of(profile_, type);
    if (!chance) continue;
    chances_.emplace_back(type, *chance);
    tree_.has_deviations[type] = true;
  }
}

PageTree PageTreeBuilder::build() {
  number_label_sets();
  find_chances();
  tree_.time_step_ns = profile_.metadata.time_step_ns;
  TreeFrames numbers = frames_apart(profile_);
  tree_.uses.resize(numbers.frames.size());
  TreeOrder order(profile_, used_nodes(profile_, shown_), numbers.of_location);
  samples_of_.emplace(profile_, order.is_as_it_stands());
  order.walk([&](const TreeOrder::Group& group) {
    add_node(group, numbers.of_location[profile_.nodes()[*group.begin].location]);
  });
  tree_.frames = std::move(numbers.frames);
  return std::move(tree_);
}

void PageTreeBuilder::add_node(const TreeOrder::Group& group, uint32_t frame) {
  ++tree_.nodes;
  put_varint(tree_.levels_up, std::exchange(depth_before_, group.depth) + 1 - group.depth);
  put_varint(tree_.frame, frame);
  ++tree_.uses[frame];
  size_t rows_before = tree_.rows;
  add_rows(group);
  put_varint(tree_.row_count, tree_.rows - rows_before);
}

void PageTreeBuilder::add_rows(const TreeOrder::Group& group) {
  samples_.clear();
  for (const NodeId* node = group.begin; node < group.end; ++node)
    samples_of_->visit(*node, [&](uint32_t sample) {
      if (counts(sample)) samples_.push_back(sample);
    });
  if (samples_.size() > 1)
    std::stable_sort(samples_.begin(), samples_.end(), [&](uint32_t a, uint32_t b) { return key_of(a) < key_of(b); });
  for (auto sample = samples_.begin(); sample != samples_.end();) {
    std::fill(sum_.begin(), sum_.end(), 0);
    std::fill(variance_.begin(), variance_.end(), 0);
    auto key = key_of(*sample);
    // Stacks that differ only in data that trees lack (a source file) may have been merged.
    for (; sample != samples_.end() && key_of(*sample) == key; ++sample) {
      const int64_t* values = profile_.values(*sample);
      for (size_t type = 0; type < types_; ++type) sum_[type] = saturating_sum(sum_[type], values[type]);
      for (const auto& [type, chance] : chances_) variance_[type] += chance.variance(values);
    }
    put_row(key);
  }
}

void PageTreeBuilder::put_row(const std::tuple<uint32_t, TimeStep>& key) {
  ++tree_.rows;
  put_varint(tree_.labels, std::get<0>(key));
  TimeStep time = std::get<1>(key);
  if (time != kNoTime && tree_.time_step_ns != 0) tree_.time_steps = std::max(tree_.time_steps, time + 1);
  put_varint(tree_.time, time == kNoTime ? 0 : uint64_t{time} + 1);
  for (size_t type = 0; type < types_; ++type) put_varint(tree_.values[type], coded_value(sum_[type]));
  for (const auto& [type, chance] : chances_) {
    double deviation = std::min(std::sqrt(variance_[type]), kMostDeviation);
    put_varint(tree_.deviations[type], static_cast<uint64_t>(std::llround(deviation)));
  }
}

}  // namespace

PageTree page_tree(const Profile& profile, const WriteOptions& options) {
  return PageTreeBuilder(profile, options).build();
}

}  // namespace hearth::profile
