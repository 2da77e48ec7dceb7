#include "base/formatted.h"
#include "profile/analysis/call_tree.h"
#include "profile/analysis/summary.h"
#include "profile/formats/amount_text.h"
#include "profile/formats/text_report.h"

namespace hearth::profile {

std::string write_flat(const Profile& profile, const WriteOptions& options) {
  std::string out = report_header(profile);
  CallTree tree = call_tree(profile, options);
  if (tree.self.empty()) return out;
  int64_t total = tree.total(tree.self.size() - 1);
  size_t limit = static_cast<size_t>(options.limit > 0 ? options.limit : kDefaultRows);
  out += formatted("{:>12}  percent  {}s  top\n  ----------  -------  -------  ---\n", weight_unit(profile),
                   counted_noun(profile));
  for (const MethodWeight& method : method_weights(tree, tree.self.size() - 1, options.annotate)) {
    if (method.self == 0 && method.samples == 0) continue;
    if (limit-- == 0) break;
    out += formatted("{:12}  {:6.2f}%  {:7}  {}\n", method.self, percent_of(method.self, total), method.samples,
                     method.name);
  }
  return out;
}

}  // namespace hearth::profile
