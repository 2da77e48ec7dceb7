#include "launcher/commands/growth.h"

#include <algorithm>

#include "profile/analysis/welch_bound.h"
#include "profile/formats/frame_text.h"

namespace hearth::launcher {
namespace {

std::vector<std::string> frames_of(const profile::Profile& profile, profile::NodeId node) {
  std::vector<std::string> frames;
  for (; node != 0; node = profile.nodes()[node].parent) {
    const profile::Function& function = profile.functions()[profile.function_of(node)];
    frames.push_back(profile::frame_text(profile.text(function.name), function.kind, false));
  }
  std::reverse(frames.begin(), frames.end());
  return frames;
}

}  // namespace

Growth growth_of(const std::vector<int64_t>& amounts, double seconds_apart) {
  constexpr size_t kFewest = 3;
  if (amounts.size() < kFewest || seconds_apart <= 0) return {};
  std::vector<double> changes;
  changes.reserve(amounts.size() - 1);
  for (size_t i = 1; i < amounts.size(); ++i) changes.push_back(static_cast<double>(amounts[i] - amounts[i - 1]));
  double mean = static_cast<double>(amounts.back() - amounts.front()) / static_cast<double>(changes.size());
  return {mean / seconds_apart, profile::bound_of_mean(changes) / seconds_apart};
}

void LiveSites::add(const profile::Profile& profile, std::string_view value_type) {
  ++looks_;
  for (auto& [frames, amounts] : sites_) amounts.resize(looks_);
  const auto& types = profile.value_types;
  auto value = static_cast<size_t>(
      std::find_if(types.begin(), types.end(), [&](const auto& type) { return type.type == value_type; }) -
      types.begin());
  if (value == types.size()) return;
  for (size_t i = 0; i < profile.sample_count(); ++i) {
    int64_t amount = profile.values(i)[value];
    if (amount == 0) continue;
    std::vector<int64_t>& amounts = sites_[frames_of(profile, profile.sample(i).stack)];
    amounts.resize(looks_);
    amounts.back() += amount;
  }
}

std::vector<Site> LiveSites::sites(double seconds_apart) const {
  std::vector<Site> sites;
  for (const auto& [frames, amounts] : sites_) sites.push_back({frames, amounts, growth_of(amounts, seconds_apart)});
  std::stable_sort(sites.begin(), sites.end(), [](const Site& one, const Site& other) {
    if (one.growth.is_certain() != other.growth.is_certain()) return one.growth.is_certain();
    if (one.growth.is_certain()) return one.growth.rate > other.growth.rate;
    return one.amounts.back() > other.amounts.back();
  });
  return sites;
}

Site LiveSites::total(double seconds_apart) const {
  Site all;
  all.amounts.resize(looks_);
  for (const auto& [frames, amounts] : sites_)
    for (size_t look = 0; look < looks_; ++look) all.amounts[look] += amounts[look];
  all.growth = growth_of(all.amounts, seconds_apart);
  return all;
}

}  // namespace hearth::launcher
