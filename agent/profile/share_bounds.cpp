#include "profile/share_bounds.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "profile/event_view.h"

namespace hearth::profile {
namespace {

// Of one object met: by how much the variance passes what the object stands for, in objects.
double variance_of_object(double size, double interval, double one_of) {
  if (size <= 0) return 0;
  // 1 / (1 - e^-x) is 1 + 1 / (e^x - 1), and that without loss where x is small.
  double unmet = interval > 0 ? 1 / std::expm1(size / interval) : 0;
  return one_of * (1 + unmet) - 1;
}

}  // namespace

ShareBounds::ShareBounds(const Profile& profile, const CallTree& tree, size_t value) {
  constexpr size_t kNone = SIZE_MAX;
  size_t count = kNone;
  size_t weight = kNone;
  for (const ProfileEvent& event : events_of(profile)) {
    if (!event.counts_objects || (value != event.count && value != event.weight)) continue;
    count = event.count;
    weight = event.weight;
  }
  if (count == kNone) return;
  auto one_of = static_cast<double>(std::max<int64_t>(profile.value_types[weight].one_of, 1));
  if (interval_of(profile, weight) <= 0 && one_of <= 1) return;
  auto interval = static_cast<double>(interval_of(profile, weight));
  variances_.resize(tree.size());
  for (size_t node = 0; node < tree.size(); ++node) {
    auto objects = static_cast<double>(tree.self[count][node]);
    auto bytes = static_cast<double>(tree.self[weight][node]);
    if (objects <= 0) continue;
    double size = bytes / objects;
    variances_[node] = objects * variance_of_object(size, interval, one_of) * (value == weight ? size * size : 1);
  }
  whole_ = static_cast<double>(tree.total(value));
  whole_variance_ = std::accumulate(variances_.begin(), variances_.end(), 0.0);
}

double ShareBounds::half_width(int64_t part, double variance) const {
  if (whole_ <= 0) return 0;
  constexpr double kDeviationsOf95Percent = 1.96;
  double share = static_cast<double>(part) / whole_;
  double rest = std::max(whole_variance_ - variance, 0.0);
  double of_share = (1 - share) * (1 - share) * variance + share * share * rest;
  return kDeviationsOf95Percent * std::sqrt(of_share) / whole_;
}

}  // namespace hearth::profile
