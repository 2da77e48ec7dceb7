// One array holds first the lists of children and then the result, which saves memory for a large tree:
//
//   id      1        2        3        4        5          the tree:  root ─ A ─ B
//   word    parent=0 A        B        parent=2 C                            └─ C
//           (see StackTree: B continues A's run, C begins a run under A)
//
//   links   [0]  = 2   newest run under the root          (A)
//           [1]  = 0   run before A under the same parent  (none)
//           [2]  = 5   newest run under A                  (C)
//           [4]  = 0   run before C under A                (none)
//
//   children of a node n: n + 1 where that continues n's run, then links[n], links[links[n] - 1], … until 0.
//
// Invariant: links[n] is the head of n's list of runs until n gets its number, and that number afterwards. The list is
// read at most twice, both times before that: when n is opened as a child (expand_clojure_halves) and right before it
// gets its number (open_children). The rest of a list is in links[run - 1], which belongs to no node, so that no number
// overwrites it.
//
// open_ is a stack of node groups, each group being merged siblings; pending_ has their ranges, the next group last:
//
//   open_     root │ B C D      B and C have the same rank, D another
//   pending_  D=[3,4)  BC=[1,3) → B and C get the next number, then their children are pushed behind them
#include "naming/preorder_numbering.h"

#include <algorithm>
#include <utility>

namespace hearth::naming {
namespace {

using capture::StackTree;

// links[node] is the newest run that begins under the node; links[run - 1] the run before it under the same parent.
// 0 ends a list.
std::vector<uint32_t> children_index(const StackTree& tree, const std::vector<bool>& used) {
  std::vector<uint32_t> links(used.size());
  for (uint32_t id = 2; id < links.size(); ++id) {
    if (!used[id] || !tree.begins_run(id)) continue;
    uint32_t& newest = links[tree.parent(id)];
    links[id - 1] = newest;
    newest = id;
  }
  return links;
}

class PreorderNumbering {
 public:
  PreorderNumbering(const StackTree& tree, const std::vector<bool>& used, const SiblingOrder& order)
      : tree_(tree), used_(used), order_(order), links_(children_index(tree, used)) {}

  std::vector<uint32_t> number(const VisitNumber& visit) {
    if (links_.empty()) return {};
    open_ = {StackTree::kRoot};
    pending_ = {{0, 1, 0}};
    for (uint32_t number = 0; !pending_.empty(); ++number) {
      Siblings group = pending_.back();
      pending_.pop_back();
      open_.resize(group.end);  // drops the finished subtree behind it
      if (visit && number > 0) visit(group.parent_number, open_[group.begin]);
      for (size_t at = group.begin; at < group.end; ++at) open_children(open_[at], number);
      if (order_.is_one_call)
        for (size_t at = group.end; at < open_.size(); ++at) expand_clojure_halves(open_[at]);
      for (size_t at = group.end; at < open_.size(); ++at) prefetch(open_[at]);
      push_siblings(group.end, number);
    }
    return std::move(links_);
  }

 private:
  struct Siblings {  // a range of open_ that gets one number
    size_t begin;
    size_t end;
    uint32_t parent_number;
  };

  void prefetch(uint32_t id) const {
    tree_.prefetch(id);
    __builtin_prefetch(&links_[id]);
  }

  template <typename Visit>
  void visit_children(uint32_t id, const Visit& visit) const {
    uint32_t next = id + 1;
    if (next < links_.size() && used_[next] && tree_.continues_run(next)) visit(next);
    for (uint32_t run = links_[id]; run != 0; run = links_[run - 1]) visit(run);
  }

  // Appends the node's children to open_ and replaces its list by its number.
  void open_children(uint32_t id, uint32_t number) {
    visit_children(id, [&](uint32_t child) {
      if (!order_.is_one_call || !order_.is_one_call(id, child)) open_.push_back(child);
    });
    links_[id] = number;
  }

  // Appends the inner halves of a Clojure call: they are shown as siblings of the outer half.
  void expand_clojure_halves(uint32_t id) {
    visit_children(id, [&](uint32_t child) {
      if (order_.is_one_call(id, child)) open_.push_back(child);
    });
  }

  uint32_t rank_of(uint32_t id) const { return order_.rank[tree_.frame_number(id)]; }

  // Sorts the nodes from `begin` to the end of open_ and makes them pending, highest rank first: the stack returns them
  // in ascending order.
  void push_siblings(size_t begin, uint32_t parent_number) {
    auto is_before = [&](uint32_t a, uint32_t b) { return rank_of(a) != rank_of(b) ? rank_of(a) > rank_of(b) : a < b; };
    if (open_.size() - begin > 1) std::sort(open_.begin() + static_cast<ptrdiff_t>(begin), open_.end(), is_before);
    while (begin < open_.size()) {
      size_t end = begin + 1;
      while (end < open_.size() && rank_of(open_[end]) == rank_of(open_[begin])) ++end;
      pending_.push_back({begin, end, parent_number});
      begin = end;
    }
  }

  const StackTree& tree_;
  const std::vector<bool>& used_;
  const SiblingOrder& order_;
  std::vector<uint32_t> links_;
  std::vector<uint32_t> open_;     // the path to the current group, with the siblings that follow on it
  std::vector<Siblings> pending_;  // groups without a number yet
};

}  // namespace

std::vector<uint32_t> preorder_index(const StackTree& tree, const std::vector<bool>& used, const SiblingOrder& order,
                                     const VisitNumber& visit) {
  return PreorderNumbering(tree, used, order).number(visit);
}

}  // namespace hearth::naming
