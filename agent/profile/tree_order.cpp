#include "profile/tree_order.h"

#include <algorithm>
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

TreeOrder::TreeOrder(const Profile& profile, const std::vector<bool>& used, std::vector<uint32_t> rank)
    : profile_(profile), rank_(std::move(rank)), first_child_(used.size()), next_sibling_(used.size()) {
  for (NodeId node = static_cast<NodeId>(used.size()) - 1; node > 0; --node) {
    if (!used[node]) continue;
    NodeId& first = first_child_[profile.nodes()[node].parent];
    next_sibling_[node] = std::exchange(first, node);
    ++size_;
  }
}

void TreeOrder::add_children(NodeId node) {
  for (NodeId child = first_child_[node]; child != 0; child = next_sibling_[child]) open_.push_back(child);
}

// The nodes from `begin` to the end of open_, highest rank first, so that the stack gives them back in order.
void TreeOrder::push_groups(size_t begin, uint32_t depth) {
  auto is_before = [&](NodeId a, NodeId b) { return rank_of(a) != rank_of(b) ? rank_of(a) > rank_of(b) : a < b; };
  if (open_.size() - begin > 1) std::sort(open_.begin() + static_cast<ptrdiff_t>(begin), open_.end(), is_before);
  while (begin < open_.size()) {
    size_t end = begin + 1;
    while (end < open_.size() && rank_of(open_[end]) == rank_of(open_[begin])) ++end;
    pending_.push_back({begin, end, depth});
    begin = end;
  }
}

}  // namespace hearth::profile
