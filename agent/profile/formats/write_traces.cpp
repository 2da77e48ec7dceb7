#include <algorithm>

#include "base/formatted.h"
#include "profile/analysis/call_tree.h"
#include "profile/formats/amount_text.h"
#include "profile/formats/frame_text.h"
#include "profile/formats/text_report.h"

namespace hearth::profile {
namespace {

// The `limit` nodes with the largest self value, heaviest first; equal ones in the tree's order.
std::vector<size_t> hottest_nodes(const CallTree& tree, size_t limit) {
  std::vector<size_t> nodes;
  for (size_t node = 0; node < tree.size(); ++node)
    if (tree.self.back()[node] != 0 || tree.self.front()[node] != 0) nodes.push_back(node);
  const std::vector<int64_t>& weight = tree.self.back();
  size_t kept = std::min(limit, nodes.size());
  auto before = [&](size_t a, size_t b) { return weight[a] != weight[b] ? weight[a] > weight[b] : a < b; };
  std::partial_sort(nodes.begin(), nodes.begin() + static_cast<ptrdiff_t>(kept), nodes.end(), before);
  nodes.resize(kept);
  return nodes;
}

}  // namespace

std::string write_traces(const Profile& profile, const WriteOptions& options) {
  std::string out = report_header(profile);
  CallTree tree = call_tree(profile, options);
  if (tree.self.empty()) return out;
  int64_t total = tree.total(tree.self.size() - 1);
  std::string unit = weight_unit(profile);
  std::string noun = counted_noun(profile);
  size_t limit = static_cast<size_t>(options.limit > 0 ? options.limit : kDefaultRows);
  for (size_t node : hottest_nodes(tree, limit)) {
    int64_t weight = tree.self.back()[node];
    int64_t samples = tree.self.front()[node];
    out += formatted("--- {} {} ({:.2f}%), {} {}{}\n", weight, unit, percent_of(weight, total), samples, noun,
                     samples == 1 ? "" : "s");
    uint32_t depth = tree.depth[node] + 1;
    // In preorder the ancestors of a node are the nearest preceding nodes of smaller depth.
    for (size_t at = node, row = 0; depth > 1; --at) {
      if (tree.depth[at] >= depth) continue;
      depth = tree.depth[at];
      const TreeFrame& frame = tree.frames[tree.frame[at]];
      out += formatted("  [{:2}] {}\n", row++, frame_text(frame.name, frame.kind, options.annotate));
    }
    out += '\n';
  }
  return out;
}

}  // namespace hearth::profile
