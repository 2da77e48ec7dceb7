#include "profile/model/profile.h"

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
  nodes_.push_back({0, 0});  // the root: its own parent, without a location
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
  return child_index_.find_or_append(&nodes_, parent, location);
}

void Profile::reserve(size_t nodes, size_t samples) {
  nodes_.reserve(nodes);
  samples_.reserve(samples);
  values_.reserve(samples * value_types.size());
}

void Profile::pack() {
  child_index_.clear();
  sample_index_.clear();
}

LabelSetId Profile::label_set(LabelSet labels) {
  std::sort(labels.begin(), labels.end());
  LabelSetId id = label_set_index_.find_or_claim(hash_of_labels(labels),
                                                 [&](LabelSetId known) { return label_sets_[known] == labels; });
  if (id == label_sets_.size()) label_sets_.push_back(std::move(labels));
  return id;
}

void Profile::add(NodeId stack, LabelSetId labels, const int64_t* values, TimeStep time) {
  if (stack == 0) stack = child(0, location(function("[unknown]", FrameKind::kMarker), 0));
  uint32_t id = sample_index_.find_or_claim(samples_, {stack, labels, time}, nodes_.size());
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
