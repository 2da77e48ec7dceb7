#include "profile/profile.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

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
  nodes_.push_back({0, 0});  // the root: its own parent, and the only node whose location means nothing
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
  auto is_it = [&](size_t node) { return nodes_[node].parent == parent && nodes_[node].location == location; };
  size_t behind = size_t{parent} + 1, next = nodes_.size();
  if (behind < next && is_it(behind)) return static_cast<NodeId>(behind);
  NodeId last = last_child_[parent];
  if (last != 0 && nodes_[last].location == location) return last;
  if (behind == next) IdIndex::check(next);
  NodeId id = behind == next ? parent + 1 : node_index_.find_or_enter(mix(parent, location), next, is_it);
  if (id == next) {
    nodes_.push_back({parent, location});
    last_child_.push_back(0);
  }
  return last_child_[parent] = id;
}

void Profile::reserve_nodes(size_t nodes) {
  nodes_.reserve(nodes);
  last_child_.reserve(nodes);
  first_sample_.reserve(nodes);
}

LabelSetId Profile::label_set(LabelSet labels) {
  std::sort(labels.begin(), labels.end());
  LabelSetId id = label_set_index_.find_or_claim(hash_of_labels(labels),
                                                 [&](LabelSetId known) { return label_sets_[known] == labels; });
  if (id == label_sets_.size()) label_sets_.push_back(std::move(labels));
  return id;
}

uint32_t Profile::sample_id(const Sample& sample) {
  auto is_it = [&](uint32_t id) {
    const Sample& other = samples_[id];
    return other.stack == sample.stack && other.labels == sample.labels && other.time == sample.time;
  };
  auto next = static_cast<uint32_t>(samples_.size());
  if (sample.stack >= first_sample_.size()) first_sample_.resize(nodes_.size(), kNoSample);
  uint32_t& first = first_sample_[sample.stack];
  if (first == kNoSample) {
    IdIndex::check(next);
    return first = next;
  }
  if (is_it(first)) return first;
  uint64_t hash = mix(sample.stack, static_cast<uint64_t>(sample.time) << 32 | sample.labels);
  return sample_index_.find_or_enter(hash, next, is_it);
}

void Profile::add(NodeId stack, LabelSetId labels, const int64_t* values, TimeStep time) {
  if (stack == 0) stack = child(0, location(function("[unknown]", FrameKind::kMarker), 0));
  uint32_t id = sample_id({stack, labels, time});
  size_t width = value_types.size();
  if (id == samples_.size()) {
    samples_.push_back({stack, labels, time});
    values_.insert(values_.end(), values, values + width);
    return;
  }
  int64_t* sums = values_.data() + id * width;
  for (size_t type = 0; type < width; ++type) sums[type] = saturating_sum(sums[type], values[type]);
}

}  // namespace hearth::profile
