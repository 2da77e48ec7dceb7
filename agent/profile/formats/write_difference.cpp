#include <nlohmann/json.hpp>

#include "page.h"
#include "profile/analysis/compared_profiles.h"
#include "profile/analysis/difference.h"
#include "profile/page/encode_tree.h"
#include "profile/page/flame_graph_page.h"

namespace hearth::profile {
namespace {

nlohmann::json side_json(const Difference& difference, const DifferenceOptions& options, size_t side) {
  nlohmann::json object = origin_json(difference.about(side), difference.quality(side));
  object["name"] = options.names[side];
  object["runs"] = difference.runs(side);
  object["divisor"] = difference.divisor(side);
  return object;
}

nlohmann::json measured_json(const Difference& difference, const Measured& measured, const Change& change) {
  nlohmann::json object = {{"before", measured.values[0]}, {"after", measured.values[1]}};
  if (difference.scale() == Scale::kShares) {
    object["before_share"] = change.before;
    object["after_share"] = change.after;
  }
  object["change"] = change.change();
  if (difference.bounds_known()) object["bound"] = change.bound;
  object["noise"] = change.is_noise();
  return object;
}

std::string title_of(const DifferenceOptions& options) {
  if (!options.write.title.empty()) return options.write.title;
  return options.names[0] + " → " + options.names[1];
}

}  // namespace

std::string write_difference_json(const Difference& difference, const DifferenceOptions& options) {
  nlohmann::json object = {{"event", difference.event()},
                           {"value", {{"type", difference.value().type}, {"unit", difference.value().unit}}},
                           {"normalized", difference.scale() == Scale::kShares},
                           {"bounds_known", difference.bounds_known()},
                           {"chance_from", difference.has_chance_from_runs() ? "runs" : "samples"},
                           {"methods", nlohmann::json::array()}};
  for (size_t side : {0, 1}) {
    object[kSideNames[side]] = side_json(difference, options, side);
    object[kSideNames[side]]["total"] = difference.total(side);
  }
  for (const MethodChange& method : difference.methods()) {
    if (options.limit > 0 && object["methods"].size() == options.limit) break;
    object["methods"].push_back({{"name", method.name},
                                 {"change", word_of_change(method.total, method.total_change)},
                                 {"self", measured_json(difference, method.self, method.self_change)},
                                 {"total", measured_json(difference, method.total, method.total_change)}});
  }
  return object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string write_difference_page(const Difference& difference, const DifferenceOptions& options) {
  const WriteOptions& write = options.write;
  std::vector<ValueType> types = difference.values();
  types.insert(types.end(), difference.values().begin(), difference.values().end());
  PageTree tree = page_tree(difference.both(), write);
  nlohmann::json header = {{"title", title_of(options)},
                           {"event", difference.event()},
                           {"values", values_json(types, tree)},
                           {"lens", difference.lens()}};
  add_view(write, &header);
  // They follow from the number of samples, more precisely than as integers.
  if (difference.counts_samples())
    for (nlohmann::json& value : header["values"]) value.erase("deviations");
  header["difference"] = {
      {"normalized", difference.scale() == Scale::kShares},
      {"per", difference.is_per_operation()                 ? "operation"
              : difference.runs(0) + difference.runs(1) > 2 ? "run"
                                                            : ""},
      {"noise", difference.has_chance_from_runs() ? "runs" : "samples"},
      {"sides", {side_json(difference, options, 0), side_json(difference, options, 1)}},
  };
  return fill_page(html::flame_graph_page(), title_of(options), encode_tree(std::move(header), std::move(tree)));
}

}  // namespace hearth::profile
