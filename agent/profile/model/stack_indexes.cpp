#include "profile/model/stack_indexes.h"

#include <optional>
#include <utility>

#include "base/free_memory.h"

namespace hearth::profile {

NodeId ChildIndex::find_or_append(std::vector<Node>* nodes, NodeId parent, LocationId location) {
  std::vector<Node>& all = *nodes;
  if (last_child_.size() < all.size()) index_all(all);
  size_t behind = size_t{parent} + 1, next = all.size();
  auto is_it = [&](NodeId node) { return all[node].parent == parent && all[node].location == location; };
  if (behind < next && is_it(parent + 1)) return parent + 1;
  NodeId last = last_child_[parent];
  if (last != 0 && all[last].location == location) return last;
  if (last != 0) {
    if (std::optional<NodeId> known = others_.find(mix(parent, location), is_it)) return make_last(all, *known);
  }
  IdIndex::check(next);
  all.push_back({parent, location});
  last_child_.push_back(0);
  auto id = static_cast<NodeId>(next);
  return behind == next ? id : make_last(all, id);
}

void ChildIndex::clear() {
  free_memory(&last_child_);
  others_ = {};
}

// The previous last child is added to the index, unless it is there.
NodeId ChildIndex::make_last(const std::vector<Node>& nodes, NodeId node) {
  NodeId parent = nodes[node].parent;
  if (NodeId before = std::exchange(last_child_[parent], node)) {
    LocationId location = nodes[before].location;
    others_.find_or_enter(mix(parent, location), before, [&](NodeId known) { return known == before; });
  }
  return node;
}

void ChildIndex::index_all(const std::vector<Node>& nodes) {
  last_child_.assign(nodes.size(), 0);
  for (NodeId node = 1; node < nodes.size(); ++node)
    if (nodes[node].parent + 1 != node) make_last(nodes, node);
}

uint32_t SampleIndex::find_or_claim(const std::vector<StackSample>& samples, const StackSample& sample, size_t nodes) {
  if (first_.empty()) {
    for (size_t id = 0; id < samples.size(); ++id) find_or_enter(samples, samples[id], id, nodes);
  }
  return find_or_enter(samples, sample, samples.size(), nodes);
}

void SampleIndex::clear() {
  free_memory(&first_);
  others_ = {};
}

// A new sample gets the id `next`.
uint32_t SampleIndex::find_or_enter(const std::vector<StackSample>& samples, const StackSample& sample, size_t next,
                                    size_t nodes) {
  auto is_it = [&](uint32_t id) {
    const StackSample& other = samples[id];
    return other.stack == sample.stack && other.labels == sample.labels && other.time == sample.time;
  };
  if (sample.stack >= first_.size()) first_.resize(nodes, kNoSample);
  uint32_t& first = first_[sample.stack];
  if (first == kNoSample) {
    IdIndex::check(next);
    return first = static_cast<uint32_t>(next);
  }
  if (is_it(first)) return first;
  uint64_t hash = mix(sample.stack, static_cast<uint64_t>(sample.time) << 32 | sample.labels);
  return others_.find_or_enter(hash, next, is_it);
}

}  // namespace hearth::profile
