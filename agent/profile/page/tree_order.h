// Orders a profile's stacks as trees show them, each node of the tree with the profile's nodes that it merges.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/formats/formats.h"
#include "profile/model/profile.h"

namespace hearth::profile {

// By node: whether a stack with weight passes through it. `shown`: the stacks that count at all.
std::vector<bool> used_nodes(const Profile& profile, const std::vector<bool>& shown);

class TreeOrder {
 public:
  // `rank` by location: orders siblings, and merges those of equal rank. `profile` must outlive this.
  TreeOrder(const Profile& profile, std::vector<bool> used, std::vector<uint32_t> rank);

  // Number of used nodes, an upper bound of the tree's nodes, some of which are merged.
  size_t size() const { return size_; }

  // True if the profile's nodes already have this order, except for the order of the subtrees below the root.
  bool is_as_it_stands() const { return !subtrees_.empty(); }

  struct Group {
    const NodeId* begin;
    const NodeId* end;
    uint32_t depth;  // 1 for children of the root
  };
  // Calls `visit` with the nodes of each node of the tree, in preorder. Call once.
  template <typename Visit>
  void walk(const Visit& visit) {
    if (is_as_it_stands()) return walk_as_they_stand(visit);
    add_children(0);
    push_groups(0, 1);
    while (!pending_.empty()) {
      Span span = pending_.back();
      pending_.pop_back();
      open_.resize(span.end);  // the rest was visited
      visit(Group{open_.data() + span.begin, open_.data() + span.end, span.depth});
      for (size_t at = span.begin; at < span.end; ++at) add_children(open_[at]);
      push_groups(span.end, span.depth + 1);
    }
  }

 private:
  struct Span {  // a range of open_
    size_t begin;
    size_t end;
    uint32_t depth;
  };
  struct Subtree {  // below the root, a range of nodes
    NodeId begin;
    NodeId end;
  };
  void find_subtrees();
  void link_children();
  template <typename Visit>
  void walk_as_they_stand(const Visit& visit) {
    for (const Subtree& subtree : subtrees_) {
      for (NodeId node = subtree.begin; node < subtree.end; ++node) {
        if (!used_[node]) continue;
        close_to_parent(node);
        open_.push_back(node);
        visit(Group{&open_.back(), &open_.back() + 1, static_cast<uint32_t>(open_.size())});
      }
      open_.clear();
    }
  }
  NodeId close_to_parent(NodeId node);
  void add_children(NodeId node);
  void push_groups(size_t begin, uint32_t depth);
  uint32_t rank_of(NodeId node) const { return rank_[profile_.nodes()[node].location]; }

  const Profile& profile_;
  std::vector<bool> used_;
  std::vector<uint32_t> rank_;
  std::vector<Subtree> subtrees_;    // empty if the nodes have another order
  std::vector<NodeId> first_child_;  // by node, 0: none; only in that case
  std::vector<NodeId> next_sibling_;
  size_t size_ = 0;
  std::vector<NodeId> open_;   // the path to the current node, and nodes to visit
  std::vector<Span> pending_;  // to visit
};

}  // namespace hearth::profile
