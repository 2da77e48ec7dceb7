#include "profile/page/tree_order.h"

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

TreeOrder::TreeOrder(const Profile& profile, std::vector<bool> used, std::vector<uint32_t> rank)
    : profile_(profile),
      used_(std::move(used)),
      rank_(std::move(rank)),
      size_(static_cast<size_t>(std::count(used_.begin() + 1, used_.end(), true))) {
  find_subtrees();
  if (subtrees_.empty()) link_children();
}

// Closes open nodes up to the parent of `node`; returns the child of the parent that was closed last, 0 for none.
NodeId TreeOrder::close_to_parent(NodeId node) {
  NodeId parent = profile_.nodes()[node].parent;
  NodeId closed = 0;
  for (; !open_.empty() && open_.back() != parent; open_.pop_back()) closed = open_.back();
  return closed;
}

// Checks for the order of a session's nodes: each followed by all below it, siblings ascending and distinct. The
// subtrees below the root may come in any order.
void TreeOrder::find_subtrees() {
  bool is_in_order = true;
  for (NodeId node = 1; node < used_.size() && is_in_order; ++node) {
    if (!used_[node]) continue;
    NodeId before = close_to_parent(node);
    NodeId parent = profile_.nodes()[node].parent;
    if (parent == 0) {
      if (!subtrees_.empty()) subtrees_.back().end = node;
      subtrees_.push_back({node, static_cast<NodeId>(used_.size())});
    } else {
      is_in_order = !open_.empty() && (before == 0 || rank_of(before) < rank_of(node));
    }
    open_.push_back(node);
  }
  open_.clear();
  std::sort(subtrees_.begin(), subtrees_.end(),
            [&](const Subtree& a, const Subtree& b) { return rank_of(a.begin) < rank_of(b.begin); });
  auto have_one_rank = [&](const Subtree& a, const Subtree& b) { return rank_of(a.begin) == rank_of(b.begin); };
  if (std::adjacent_find(subtrees_.begin(), subtrees_.end(), have_one_rank) != subtrees_.end()) is_in_order = false;
  if (!is_in_order) subtrees_.clear();
}

void TreeOrder::link_children() {
  first_child_.resize(used_.size());
  next_sibling_.resize(used_.size());
  for (NodeId node = static_cast<NodeId>(used_.size()) - 1; node > 0; --node) {
    if (!used_[node]) continue;
    NodeId& first = first_child_[profile_.nodes()[node].parent];
    next_sibling_[node] = std::exchange(first, node);
  }
}

void TreeOrder::add_children(NodeId node) {
  for (NodeId child = first_child_[node]; child != 0; child = next_sibling_[child]) open_.push_back(child);
}

// The nodes from `begin` to the end of open_, highest rank first, so that the stack returns them in order.
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
