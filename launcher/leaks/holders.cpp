#include "launcher/leaks/holders.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.h"
#include "base/formatted.h"
#include "profile/analysis/stack_key.h"

namespace hearth::launcher {
namespace {

using nlohmann::json;

constexpr int kHex = 16;

SiteHolders site_of(const json& object) {
  SiteHolders site;
  site.searched = object.at("searched");
  for (const json& one : object.at("holders"))
    site.holders.push_back({one.at("path").get<std::vector<std::string>>(), one.at("objects").get<size_t>()});
  return site;
}

// Length of "java.util.concurrent." at the text's begin; 0: it begins with no package of the JDK.
size_t package_length(std::string_view text) {
  if (text.substr(0, 5) != "java.") return 0;
  size_t length = 0;
  while (true) {
    size_t dot = text.find('.', length);
    if (dot == std::string_view::npos) return length;
    std::string_view part = text.substr(length, dot - length);
    bool is_package = std::all_of(part.begin(), part.end(), [](char letter) { return letter >= 'a' && letter <= 'z'; });
    if (!is_package) return length;
    length = dot + 1;
  }
}

std::string without_packages(std::string_view step) {
  std::string text;
  while (!step.empty()) {
    step.remove_prefix(package_length(step));
    size_t end = std::min(step.find_first_of(" ("), step.size() - 1) + 1;
    text += step.substr(0, end);
    step.remove_prefix(end);
  }
  return text;
}

}  // namespace

HolderReport parse_holders(const std::string& reply) {
  HolderReport report;
  try {
    json parsed = json::parse(reply);
    report.objects = parsed.at("objects");
    report.seconds = parsed.at("seconds");
    report.pause_seconds = parsed.at("pause_seconds");
    report.notes = parsed.at("notes").get<std::vector<std::string>>();
    for (const json& site : parsed.at("sites"))
      report.sites.emplace(std::strtoull(site.at("site").get<std::string>().c_str(), nullptr, kHex), site_of(site));
  } catch (const json::exception&) {
    throw Error("the agent's report of holders cannot be read", "use launcher and agent of one version");
  }
  return report;
}

std::string holders_command(const std::vector<Site>& sites, size_t limit, const std::string& session) {
  constexpr size_t kMost = 20;  // of the agent
  std::vector<std::string> keys;
  for (const Site& site : sites)
    if (site.leaks && keys.size() < std::min(limit, kMost))
      keys.push_back(formatted("{:x}", profile::stack_key(site.frames)));
  return keys.empty() ? "" : formatted("heap-holders={},session={}", joined(keys, "+"), session);
}

const SiteHolders* holders_of(const HolderReport& report, const Site& site) {
  auto found = report.sites.find(profile::stack_key(site.frames));
  return found == report.sites.end() ? nullptr : &found->second;
}

std::string holder_text(const Holder& holder) {
  std::vector<std::string> steps;
  for (const std::string& step : holder.path) steps.push_back(without_packages(step));
  return joined(steps, " → ");
}

}  // namespace hearth::launcher
