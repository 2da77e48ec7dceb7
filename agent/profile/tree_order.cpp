#include "profile/tree_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hearth::profile {

std::vector<bool> used_nodes(const Profile& profile, const std::vector<bool>& shown) {
  std::vector<bool> used(profile.nodes().size());
  size_t types = profile.value_types.size();
  for (size_t index = 0; index < profile.sample_count(); ++index) {
    NodeId stack = profile.sample(index).stack;
    const int64_t* values = profile.values(index);
    if (shown[stack] && std::any_of(values, values + types, [](int64_t value) { return value != 0; }))
      used[stack] = true;
  }
  for (size_t node = used.size() - 1; node > 0; --node)
    if (used[node]) used[profile.nodes()[node].parent] = true;
  return used;
}

// Two counting sorts, by rank and then, keeping that order, by parent: linear in the nodes.
TreeOrder::TreeOrder(const Profile& profile, const std::vector<bool>& used, std::vector<uint32_t> rank, uint32_t ranks)
    : profile_(profile), rank_(std::move(rank)) {
  auto nodes = static_cast<NodeId>(profile.nodes().size());
  std::vector<uint32_t> next(ranks + 1);
  for (NodeId node = 1; node < nodes; ++node)
    if (used[node]) ++next[rank_of(node) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<NodeId> by_rank(next.back());
  for (NodeId node = 1; node < nodes; ++node)
    if (used[node]) by_rank[next[rank_of(node)]++] = node;

  first_child_.assign(nodes + 1, 0);
  for (NodeId node : by_rank) ++first_child_[profile.nodes()[node].parent + 1];
  std::partial_sum(first_child_.begin(), first_child_.end(), first_child_.begin());
  std::vector<uint32_t> free(first_child_.begin(), first_child_.end() - 1);
  order_.resize(by_rank.size());
  for (NodeId node : by_rank) order_[free[profile.nodes()[node].parent]++] = node;
}

// Pushed last to first, so that the stack gives them back in order.
void TreeOrder::push_groups(uint32_t begin, uint32_t end, uint32_t depth) {
  while (end > begin) {
    uint32_t start = end - 1;
    while (start > begin && rank_of(order_[start - 1]) == rank_of(order_[start])) --start;
    pending_.push_back({start, end, depth});
    end = start;
  }
}

void TreeOrder::push_children(const Span& span) {
  NodeId first = order_[span.begin];
  if (span.end - span.begin == 1) return push_groups(first_child_[first], first_child_[first + 1], span.depth + 1);
  auto begin = static_cast<uint32_t>(order_.size());
  for (uint32_t at = span.begin; at < span.end; ++at) {
    NodeId node = order_[at];
    for (uint32_t child = first_child_[node]; child < first_child_[node + 1]; ++child) order_.push_back(order_[child]);
  }
  std::stable_sort(order_.begin() + begin, order_.end(), [&](NodeId a, NodeId b) { return rank_of(a) < rank_of(b); });
  push_groups(begin, static_cast<uint32_t>(order_.size()), span.depth + 1);
}

}  // namespace hearth::profile
