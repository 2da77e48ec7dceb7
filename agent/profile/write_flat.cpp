#include <algorithm>

#include "base/formatted.h"
#include "profile/amount_text.h"
#include "profile/call_tree.h"
#include "profile/frame_text.h"
#include "profile/text_report.h"

namespace hearth::profile {
namespace {

struct Row {
  std::string text;
  int64_t weight = 0;
  int64_t samples = 0;
};

// One row for each spelling of an innermost frame, heaviest first.
std::vector<Row> hottest_methods(const CallTree& tree, bool annotate) {
  std::vector<Row> rows(tree.frames.size());
  for (size_t frame = 0; frame < rows.size(); ++frame)
    rows[frame].text = frame_text(tree.frames[frame].name, tree.frames[frame].kind, annotate);
  for (size_t node = 0; node < tree.size(); ++node) {
    Row& row = rows[tree.frame[node]];
    row.weight = saturating_sum(row.weight, tree.self.back()[node]);
    row.samples = saturating_sum(row.samples, tree.self.front()[node]);
  }
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.text < b.text; });
  std::vector<Row> merged;
  for (Row& row : rows) {
    if (row.weight == 0 && row.samples == 0) continue;
    if (merged.empty() || merged.back().text != row.text) {
      merged.push_back(std::move(row));
      continue;
    }
    merged.back().weight = saturating_sum(merged.back().weight, row.weight);
    merged.back().samples = saturating_sum(merged.back().samples, row.samples);
  }
  std::stable_sort(merged.begin(), merged.end(), [](const Row& a, const Row& b) { return a.weight > b.weight; });
  return merged;
}

}  // namespace

std::string write_flat(const Profile& profile, const WriteOptions& options) {
  std::string out = report_header(profile);
  CallTree tree = call_tree(profile, options);
  if (tree.self.empty()) return out;
  int64_t total = tree.total(tree.self.size() - 1);
  std::vector<Row> rows = hottest_methods(tree, options.annotate);
  size_t limit = static_cast<size_t>(options.limit > 0 ? options.limit : kDefaultRows);
  out += formatted("{:>12}  percent  samples  top\n  ----------  -------  -------  ---\n", weight_unit(profile));
  for (size_t i = 0; i < std::min(limit, rows.size()); ++i) {
    const Row& row = rows[i];
    out += formatted("{:12}  {:6.2f}%  {:7}  {}\n", row.weight, percent_of(row.weight, total), row.samples, row.text);
  }
  return out;
}

}  // namespace hearth::profile
