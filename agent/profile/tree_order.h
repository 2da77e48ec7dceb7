// A profile's stacks in the order in which trees show them, each node of the tree with the profile's nodes that it
// merges.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/formats.h"
#include "profile/profile.h"

namespace hearth::profile {

// By node: whether a stack with weight goes through it. `shown`: which stacks count at all.
std::vector<bool> used_nodes(const Profile& profile, const std::vector<bool>& shown);

class TreeOrder {
 public:
  // `rank` by location, from 0 and below `ranks`: siblings are ordered by it, and merged where it is equal. `profile`
  // outlives this.
  TreeOrder(const Profile& profile, const std::vector<bool>& used, std::vector<uint32_t> rank, uint32_t ranks);

  struct Group {
    const NodeId* begin;
    const NodeId* end;
    uint32_t depth;  // 1 for children of the root
  };
  // Calls `visit` with the nodes of each node of the tree, in preorder. Once.
  template <typename Visit>
  void walk(const Visit& visit) {
    push_groups(first_child_[0], first_child_[1], 1);
    while (!pending_.empty()) {
      Span span = pending_.back();
      pending_.pop_back();
      visit(Group{order_.data() + span.begin, order_.data() + span.end, span.depth});
      push_children(span);
    }
  }

 private:
  struct Span {  // of order_
    uint32_t begin;
    uint32_t end;
    uint32_t depth;
  };
  void push_groups(uint32_t begin, uint32_t end, uint32_t depth);
  void push_children(const Span& span);
  uint32_t rank_of(NodeId node) const { return rank_[profile_.nodes()[node].location]; }

  const Profile& profile_;
  std::vector<uint32_t> rank_;
  // The children of n are order_[first_child_[n]] up to order_[first_child_[n + 1]].
  std::vector<uint32_t> first_child_;
  std::vector<NodeId> order_;  // children by parent, by rank; merged lists of children are appended
  std::vector<Span> pending_;
};

}  // namespace hearth::profile
