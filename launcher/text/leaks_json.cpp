#include <nlohmann/json.hpp>
#include <string_view>

#include "launcher/commands/leaks_command.h"
#include "profile/model/event_view.h"

namespace hearth::launcher {
namespace {

using nlohmann::json;

constexpr double kHour = 3600;

void put_growth(const Growth& growth, json* object) {
  (*object)["bytes_per_hour"] = growth.rate * kHour;
  (*object)["bytes_per_hour_bound"] = growth.bound * kHour;
}

void put_holders(const SiteHolders& found, json* object) {
  (*object)["holders_searched"] = found.searched;
  json& holders = (*object)["holders"] = json::array();
  for (const Holder& holder : found.holders) holders.push_back({{"path", holder.path}, {"objects", holder.objects}});
}

json search_json(const HolderReport& report) {
  if (!report.failure.empty()) return {{"failure", report.failure}};
  return {{"objects", report.objects},
          {"seconds", report.seconds},
          {"pause_seconds", report.pause_seconds},
          {"notes", report.notes}};
}

json site_json(const Site& site) {
  json object = {{"frames", site.frames},
                 {"live_bytes", site.amounts.back()},
                 {"live_bytes_by_look", site.amounts},
                 {"leaks", site.leaks}};
  put_growth(site.growth, &object);
  return object;
}

json kind_json(const LeakKind& kind, const Leaks& leaks, size_t limit) {
  Site total = kind.sites.total(leaks.seconds_apart);
  json object = {{"event", kind.event},
                 {"live_bytes", total.amounts.empty() ? 0 : total.amounts.back()},
                 {"leaks", total.leaks},
                 {"sites", json::array()}};
  put_growth(total.growth, &object);
  for (const Site& site : kind.sites.sites(leaks.seconds_apart)) {
    if (object["sites"].size() == limit) break;
    json& row = object["sites"].emplace_back(site_json(site));
    if (!leaks.holders || !site.leaks || kind.event != std::string_view(profile::kLiveEvent)) continue;
    if (const SiteHolders* found = holders_of(*leaks.holders, site)) put_holders(*found, &row);
  }
  return object;
}

}  // namespace

std::string leaks_json(const Leaks& leaks, size_t limit) {
  json object = {{"program", leaks.program},
                 {"looks", leaks.looks},
                 {"seconds_apart", leaks.seconds_apart},
                 {"kinds", json::array()}};
  if (leaks.to_ns != 0)
    object["store"] = {{"from_unix_ns", leaks.from_ns},
                       {"to_unix_ns", leaks.to_ns},
                       {"followed_since_unix_ns", leaks.followed_since_ns},
                       {"has_earlier_run", leaks.has_earlier_run}};
  for (const LeakKind& kind : leaks.kinds) {
    object["kinds"].push_back(kind_json(kind, leaks, limit));
    if (leaks.looks > 0 && kind.sites.jvm_heap().back() > 0) object["jvm_heap_bytes"] = kind.sites.jvm_heap().back();
  }
  if (leaks.holders) object["holder_search"] = search_json(*leaks.holders);
  if (leaks.arenas) object["glibc"] = {{"arenas", leaks.arenas->count}, {"resident_bytes", leaks.arenas->resident}};
  if (!leaks.accounted.empty()) object["nmt"] = leaks.accounted;
  return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace hearth::launcher
