#include <nlohmann/json.hpp>

#include "launcher/commands/report.h"
#include "profile/formats/frame_text.h"
#include "profile/model/quality.h"

namespace hearth::launcher {
namespace {

using nlohmann::json;

class ReportWriter {
 public:
  explicit ReportWriter(const Report& report) : report_(report) {}

  json write() const {
    const profile::Metadata& about = report_.about;
    json object = {{"file", report_.file},
                   {"title", about.title},
                   {"event", about.event},
                   {"runtime", about.runtime},
                   {"producer", about.producer},
                   {"start_unix_ns", about.start_unix_ns},
                   {"value", {{"type", report_.value.type}, {"unit", report_.value.unit}}},
                   {"total", report_.total},
                   {"samples", report_.samples ? json(*report_.samples) : json()},
                   {"quality", quality()},
                   {"methods", json::array()},
                   {"paths", paths(report_.paths)}};
    for (const profile::MethodWeight& method : report_.methods) object["methods"].push_back(method_json(method));
    for (const profile::MethodWeight& method : report_.allocating) object["allocating"].push_back(method_json(method));
    for (const profile::WaitForOther& one : report_.waits)
      object[is_wake(one) ? "wakers" : "holders"].push_back(wait_json(one));
    if (!report_.label.empty()) object["by"] = by();
    if (report_.ratios) object["ratio"] = {{"event", report_.ratios->event}, {"whole", report_.ratios->whole}};
    for (const profile::ValueType& value : report_.values)
      if (value.interval != 0) object["intervals"][value.type] = value.interval;
    return object;
  }

 private:
  json share(int64_t part) const {
    if (report_.total == 0) return nullptr;
    return static_cast<double>(part) / static_cast<double>(report_.total);
  }

  // Adds "KEY", and if known "KEY_bound", half the width of its 95 % interval.
  void put_share(const char* key, int64_t part, double variance, json* object) const {
    (*object)[key] = share(part);
    if (report_.bounds.known()) (*object)[std::string(key) + "_bound"] = report_.bounds.half_width(part, variance);
  }

  json quality() const {
    json object = profile::quality_json(report_.quality);
    object["interval"] = report_.about.interval;
    object["duration_ns"] = report_.about.duration_ns;
    return object;
  }

  json method_json(const profile::MethodWeight& method) const {
    json object = {{"name", method.name}, {"self", method.self}, {"total", method.total}, {"samples", method.samples}};
    put_share("self_share", method.self, method.self_variance, &object);
    put_share("total_share", method.total, method.total_variance, &object);
    if (report_.ratios) put_ratio(method.name, &object);
    return object;
  }

  static bool is_wake(const profile::WaitForOther& one) { return one.relation == profile::kWakesWord; }
  json wait_json(const profile::WaitForOther& one) const {
    json object = {{"waiter", one.waiter}, {"total", one.total}, {"total_share", share(one.total)}};
    object[is_wake(one) ? "object" : "lock"] = one.object;
    object[is_wake(one) ? "waker" : "holder"] = one.other;
    if (!is_wake(one)) object["further"] = one.further;
    return object;
  }

  void put_ratio(const std::string& method, json* object) const {
    auto found = report_.ratios->of_methods.find(method);
    if (found == report_.ratios->of_methods.end()) return;
    (*object)["self_ratio"] = found->second.self;
    (*object)["self_ratio_bound"] = found->second.self_bound;
    (*object)["total_ratio"] = found->second.total;
  }

  json paths(const std::vector<profile::Path>& found) const {
    json list = json::array();
    for (const profile::Path& path : found) {
      list.push_back(
          {{"frames", path.frames}, {"total", path.total}, {"self", path.self}, {"callees", paths(path.callees)}});
      put_share("total_share", path.total, path.total_variance, &list.back());
    }
    return list;
  }

  json by() const {
    const OtherGroups& others = report_.other_groups;
    json object = {{"label", report_.label}, {"groups", groups()}};
    if (others.count > 0)
      object["others"] = {{"count", others.count},
                          {"total", others.total},
                          {"total_share", share(others.total)},
                          {"samples", others.samples}};
    return object;
  }

  json groups() const {
    json list = json::array();
    for (const profile::LabelWeight& group : report_.groups)
      list.push_back({{"value", group.label},
                      {"total", group.total},
                      {"total_share", share(group.total)},
                      {"samples", group.samples},
                      {"hottest", {{"name", group.hottest.name}, {"self", group.hottest.self}}}});
    return list;
  }

  const Report& report_;
};

}  // namespace

std::string report_json(const Report& report) {
  return ReportWriter(report).write().dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace hearth::launcher
