#include "session/stack_places.h"

#include <algorithm>
#include <utility>

namespace hearth::session {
namespace {

using capture::StackTree;

// By node, the newest run that begins under it; by the word before a run, the one that began there before; 0 for none.
std::vector<uint32_t> linked_runs(const StackTree& tree, const std::vector<bool>& used) {
  std::vector<uint32_t> links(used.size());
  for (uint32_t id = 2; id < links.size(); ++id) {
    if (!used[id] || !tree.begins_run(id)) continue;
    uint32_t& newest = links[tree.parent(id)];
    links[id - 1] = newest;
    newest = id;
  }
  return links;
}

class PlaceWalk {
 public:
  PlaceWalk(const StackTree& tree, const std::vector<bool>& used, const SiblingOrder& order)
      : tree_(tree), used_(used), order_(order), links_(linked_runs(tree, used)) {}

  std::vector<uint32_t> places(const VisitPlace& visit) {
    if (links_.empty()) return {};
    open_ = {StackTree::kRoot};
    pending_ = {{0, 1, 0}};
    for (uint32_t place = 0; !pending_.empty(); ++place) {
      Siblings one = pending_.back();
      pending_.pop_back();
      open_.resize(one.end);  // what follows it is done
      if (visit && place > 0) visit(one.parent_place, open_[one.begin]);
      for (size_t at = one.begin; at < one.end; ++at) open_children(open_[at], place);
      if (order_.is_one_call)
        for (size_t at = one.end; at < open_.size(); ++at) open_inner_halves(open_[at]);
      for (size_t at = one.end; at < open_.size(); ++at) prefetch(open_[at]);
      push_siblings(one.end, place);
    }
    return std::move(links_);
  }

 private:
  struct Siblings {  // of open_: they are one
    size_t begin;
    size_t end;
    uint32_t parent_place;
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

  // After that its links are not asked for any more, and its place is put there.
  void open_children(uint32_t id, uint32_t place) {
    visit_children(id, [&](uint32_t child) {
      if (!order_.is_one_call || !order_.is_one_call(id, child)) open_.push_back(child);
    });
    links_[id] = place;
  }

  // Those that are shown beside it.
  void open_inner_halves(uint32_t id) {
    visit_children(id, [&](uint32_t child) {
      if (order_.is_one_call(id, child)) open_.push_back(child);
    });
  }

  uint32_t rank_of(uint32_t id) const { return order_.rank[tree_.frame_number(id)]; }

  // The nodes from `begin` to the end of open_, highest rank first, so that the stack gives them back in order.
  void push_siblings(size_t begin, uint32_t parent_place) {
    auto is_before = [&](uint32_t a, uint32_t b) { return rank_of(a) != rank_of(b) ? rank_of(a) > rank_of(b) : a < b; };
    if (open_.size() - begin > 1) std::sort(open_.begin() + static_cast<ptrdiff_t>(begin), open_.end(), is_before);
    while (begin < open_.size()) {
      size_t end = begin + 1;
      while (end < open_.size() && rank_of(open_[end]) == rank_of(open_[begin])) ++end;
      pending_.push_back({begin, end, parent_place});
      begin = end;
    }
  }

  const StackTree& tree_;
  const std::vector<bool>& used_;
  const SiblingOrder& order_;
  std::vector<uint32_t> links_;
  std::vector<uint32_t> open_;     // the way to where the walk is, and beside it what is to come
  std::vector<Siblings> pending_;  // what is to come
};

}  // namespace

std::vector<uint32_t> stack_places(const StackTree& tree, const std::vector<bool>& used, const SiblingOrder& order,
                                   const VisitPlace& visit) {
  return PlaceWalk(tree, used, order).places(visit);
}

}  // namespace hearth::session
