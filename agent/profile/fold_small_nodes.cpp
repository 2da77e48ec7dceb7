#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "profile/call_tree.h"

namespace hearth::profile {
namespace {

constexpr std::string_view kFolded = "[below minwidth]";

class Folder {
 public:
  Folder(const CallTree& tree, double percent, size_t lens);
  CallTree fold();

 private:
  // A node that was kept and whose children are being visited; the root is the first.
  struct Open {
    uint32_t depth;
    size_t row;         // in folded_: 0 for the root, else the node plus one
    bool marker_ahead;  // its marker is still to be written, in its place among the children
  };

  void add_marker_frame();
  void measure();
  void open(uint32_t depth, size_t row) { open_.push_back({depth, row, has_folded_[row]}); }
  void write_marker(Open& parent);
  void write_node(size_t node);
  bool is_small(size_t node) const {
    return tree_.frame[node] == old_marker_ || static_cast<double>(totals_[lens_][node]) < least_;
  }

  const CallTree& tree_;
  const size_t lens_;
  const double least_;
  CallTree out_;
  uint32_t marker_ = 0;                               // in out_.frames
  uint32_t old_marker_ = UINT32_MAX;                  // in tree_.frames, of a tree that was folded before
  std::vector<size_t> end_;                           // where a node's subtree ends
  std::vector<const std::vector<int64_t>*> columns_;  // of tree_: values first, then variances
  std::vector<std::vector<int64_t>*> out_columns_;
  std::vector<std::vector<int64_t>> totals_;
  std::vector<std::vector<int64_t>> folded_;  // by column, then row: sum of the small children
  std::vector<bool> has_folded_;
  std::vector<Open> open_;
  size_t next_part_ = 0;  // in tree_.kind_parts
};

Folder::Folder(const CallTree& tree, double percent, size_t lens)
    : tree_(tree), lens_(lens), least_(static_cast<double>(tree.total(lens)) * percent / 100) {
  out_.self.resize(tree.self.size());
  out_.variance.resize(tree.variance.size());
  auto add = [&](const auto& from, auto* to) {
    for (size_t type = 0; type < from.size(); ++type) {
      if (from[type].size() != tree.size()) continue;
      columns_.push_back(&from[type]);
      out_columns_.push_back(&(*to)[type]);
    }
  };
  add(tree.self, &out_.self);
  add(tree.variance, &out_.variance);
  add_marker_frame();
  measure();
}

void Folder::add_marker_frame() {
  CallTree::Frame marker{std::string(kFolded), FrameKind::kMarker};
  auto place = std::lower_bound(tree_.frames.begin(), tree_.frames.end(), marker, [](const auto& a, const auto& b) {
    return a.name != b.name ? a.name < b.name : a.kind < b.kind;
  });
  marker_ = static_cast<uint32_t>(place - tree_.frames.begin());
  out_.frames = tree_.frames;
  if (place != tree_.frames.end() && place->name == kFolded && place->kind == FrameKind::kMarker)
    old_marker_ = marker_;
  else
    out_.frames.insert(out_.frames.begin() + marker_, marker);
}

void Folder::measure() {
  size_t size = tree_.size();
  std::vector<size_t> parent_row(size);
  std::vector<size_t> path;
  end_.assign(size, size);
  for (size_t node = 0; node < size; ++node) {
    for (; !path.empty() && tree_.depth[path.back()] >= tree_.depth[node]; path.pop_back()) end_[path.back()] = node;
    parent_row[node] = path.empty() ? 0 : path.back() + 1;
    path.push_back(node);
  }
  for (const auto* column : columns_) totals_.push_back(*column);
  for (auto& totals : totals_) {
    for (size_t node = size; node-- > 0;) {
      if (parent_row[node] == 0) continue;
      int64_t& parent = totals[parent_row[node] - 1];
      parent = saturating_sum(parent, totals[node]);
    }
  }
  folded_.assign(totals_.size(), std::vector<int64_t>(size + 1));
  has_folded_.assign(size + 1, false);
  for (size_t node = 0; node < size; node = is_small(node) ? end_[node] : node + 1) {
    if (!is_small(node)) continue;
    has_folded_[parent_row[node]] = true;
    for (size_t column = 0; column < totals_.size(); ++column) {
      int64_t& sum = folded_[column][parent_row[node]];
      sum = saturating_sum(sum, totals_[column][node]);
    }
  }
}

void Folder::write_marker(Open& parent) {
  parent.marker_ahead = false;
  out_.depth.push_back(parent.depth + 1);
  out_.frame.push_back(marker_);
  for (size_t column = 0; column < folded_.size(); ++column)
    out_columns_[column]->push_back(folded_[column][parent.row]);
}

void Folder::write_node(size_t node) {
  const std::vector<CallTree::KindPart>& parts = tree_.kind_parts;
  for (; next_part_ < parts.size() && parts[next_part_].node <= node; ++next_part_)
    if (parts[next_part_].node == node)
      out_.kind_parts.push_back({static_cast<uint32_t>(out_.size()), parts[next_part_].kind, parts[next_part_].total});
  bool shifted = old_marker_ == UINT32_MAX && tree_.frame[node] >= marker_;
  out_.depth.push_back(tree_.depth[node]);
  out_.frame.push_back(tree_.frame[node] + (shifted ? 1 : 0));
  for (size_t column = 0; column < columns_.size(); ++column)
    out_columns_[column]->push_back((*columns_[column])[node]);
}

CallTree Folder::fold() {
  auto close_down_to = [&](uint32_t depth) {
    for (; !open_.empty() && open_.back().depth >= depth; open_.pop_back())
      if (open_.back().marker_ahead) write_marker(open_.back());
  };
  open(0, 0);
  for (size_t node = 0; node < tree_.size(); node = is_small(node) ? end_[node] : node + 1) {
    if (is_small(node)) continue;
    close_down_to(tree_.depth[node]);
    if (open_.back().marker_ahead && tree_.frames[tree_.frame[node]].name > kFolded) write_marker(open_.back());
    write_node(node);
    open(tree_.depth[node], node + 1);
  }
  close_down_to(0);
  return std::move(out_);
}

}  // namespace

CallTree fold_small_nodes(const CallTree& tree, double percent, size_t lens) {
  return Folder(tree, percent, lens).fold();
}

}  // namespace hearth::profile
