#include "profile/model/profile.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "base/free_memory.h"

namespace hearth::profile {
namespace {

auto ordered_fields(const Label& label) {
  return std::tie(label.key, label.text, label.number, label.unit);
}

uint64_t hash_of_labels(const LabelSet& labels) {
  uint64_t hash = labels.size();
  for (const Label& label : labels) {
    hash = mix(hash, hash_of(label.key));
    hash = mix(hash, hash_of(label.text));
    hash = mix(hash, static_cast<uint64_t>(label.number));
    hash = mix(hash, hash_of(label.unit));
  }
  return hash;
}

}  // namespace

bool Label::operator<(const Label& other) const {
  return ordered_fields(*this) < ordered_fields(other);
}

bool Label::operator==(const Label& other) const {
  return ordered_fields(*this) == ordered_fields(other);
}

int64_t interval_of(const Profile& profile, size_t type) {
  int64_t own = profile.value_types[type].interval;
  bool is_last = type + 1 == profile.value_types.size();
  return own == 0 && is_last ? profile.metadata.interval : own;
}

int64_t saturating_sum(int64_t a, int64_t b) {
  int64_t sum;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a > 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

Profile::Profile() {
  string("");
  nodes_.push_back({0, 0});  // the root: its own parent, without a location
  last_child_.push_back(0);
  label_set({});
}

StringId Profile::string(std::string_view text) {
  StringId id = string_index_.find_or_claim(hash_of(text), [&](StringId known) { return strings_[known] == text; });
  if (id == strings_.size()) strings_.push_back(texts_.copy(text));
  return id;
}

FunctionId Profile::function(const Function& function) {
  uint64_t hash =
      mix(mix(function.name, function.system_name), mix(function.file, static_cast<uint64_t>(function.kind)));
  FunctionId id = function_index_.find_or_claim(hash, [&](FunctionId known) {
    const Function& other = functions_[known];
    return other.name == function.name && other.system_name == function.system_name && other.file == function.file &&
           other.kind == function.kind;
  });
  if (id == functions_.size()) functions_.push_back(function);
  return id;
}

FunctionId Profile::function(std::string_view name, FrameKind kind) {
  StringId id = string(name);
  return function({id, id, 0, kind});
}

LocationId Profile::location(FunctionId function, uint32_t line) {
  LocationId id = location_index_.find_or_claim(mix(function, line), [&](LocationId known) {
    return locations_[known].function == function && locations_[known].line == line;
  });
  if (id == locations_.size()) locations_.push_back({function, line});
  return id;
}

NodeId Profile::child(NodeId parent, LocationId location) {
  if (last_child_.size() < nodes_.size()) index_nodes();
  size_t behind = size_t{parent} + 1, next = nodes_.size();
  if (behind < next && nodes_[behind].parent == parent && nodes_[behind].location == location) return parent + 1;
  NodeId last = last_child_[parent];
  if (last != 0 && nodes_[last].location == location) return last;
  if (last != 0) {
    if (std::optional<NodeId> known = indexed_child(parent, location)) return make_last(*known);
  }
  IdIndex::check(next);
  nodes_.push_back({parent, location});
  last_child_.push_back(0);
  auto id = static_cast<NodeId>(next);
  return behind == next ? id : make_last(id);
}

std::optional<NodeId> Profile::indexed_child(NodeId parent, LocationId location) const {
  return node_index_.find(mix(parent, location), [&](NodeId known) {
    return nodes_[known].parent == parent && nodes_[known].location == location;
  });
}

// The previous last child is added to the index, unless it is there.
NodeId Profile::make_last(NodeId node) {
  NodeId parent = nodes_[node].parent;
  if (NodeId before = std::exchange(last_child_[parent], node)) {
    LocationId location = nodes_[before].location;
    node_index_.find_or_enter(mix(parent, location), before, [&](NodeId known) { return known == before; });
  }
  return node;
}

void Profile::index_nodes() {
  last_child_.assign(nodes_.size(), 0);
  for (NodeId node = 1; node < nodes_.size(); ++node)
    if (nodes_[node].parent + 1 != node) make_last(node);
}

void Profile::reserve(size_t nodes, size_t samples) {
  nodes_.reserve(nodes);
  samples_.reserve(samples);
  values_.reserve(samples * value_types.size());
}

void Profile::pack() {
  free_memory(&last_child_);
  node_index_ = {};
  free_memory(&first_sample_);
  sample_index_ = {};
}

LabelSetId Profile::label_set(LabelSet labels) {
  std::sort(labels.begin(), labels.end());
  LabelSetId id = label_set_index_.find_or_claim(hash_of_labels(labels),
                                                 [&](LabelSetId known) { return label_sets_[known] == labels; });
  if (id == label_sets_.size()) label_sets_.push_back(std::move(labels));
  return id;
}

uint32_t Profile::sample_id(const Sample& sample, size_t next) {
  auto is_it = [&](uint32_t id) {
    const Sample& other = samples_[id];
    return other.stack == sample.stack && other.labels == sample.labels && other.time == sample.time;
  };
  if (sample.stack >= first_sample_.size()) first_sample_.resize(nodes_.size(), kNoSample);
  uint32_t& first = first_sample_[sample.stack];
  if (first == kNoSample) {
    IdIndex::check(next);
    return first = static_cast<uint32_t>(next);
  }
  if (is_it(first)) return first;
  uint64_t hash = mix(sample.stack, static_cast<uint64_t>(sample.time) << 32 | sample.labels);
  return sample_index_.find_or_enter(hash, next, is_it);
}

void Profile::index_samples() {
  for (size_t id = 0; id < samples_.size(); ++id) sample_id(samples_[id], id);
}

void Profile::add(NodeId stack, LabelSetId labels, const int64_t* values, TimeStep time) {
  if (stack == 0) stack = child(0, location(function("[unknown]", FrameKind::kMarker), 0));
  if (first_sample_.empty()) index_samples();
  uint32_t id = sample_id({stack, labels, time}, samples_.size());
  size_t width = value_types.size();
  if (id == samples_.size()) {
    samples_.push_back({stack, labels, time});
    values_.insert(values_.end(), values, values + width);
    return;
  }
  add_values(id, values);
}

void Profile::add_values(size_t index, const int64_t* values) {
  int64_t* sums = values_.data() + index * value_types.size();
  for (size_t type = 0; type < value_types.size(); ++type) sums[type] = saturating_sum(sums[type], values[type]);
}

NodeId Profile::append_node(const Node& node) {
  IdIndex::check(nodes_.size());
  nodes_.push_back(node);
  return static_cast<NodeId>(nodes_.size() - 1);
}

void Profile::append_sample(const Sample& sample, const int64_t* values) {
  IdIndex::check(samples_.size());
  samples_.push_back(sample);
  values_.insert(values_.end(), values, values + value_types.size());
}

}  // namespace hearth::profile
