#include "profile/analysis/welch_bound.h"

#include <cmath>
#include <cstddef>
#include <numeric>

#include "profile/analysis/share_bounds.h"

namespace hearth::profile {
namespace {

// Two-sided quantiles of Student's t, by whole degrees of freedom.
constexpr double kQuantilesOf95Percent[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
constexpr size_t kKnown = std::size(kQuantilesOf95Percent);

// Interpolates linearly in 1 / freedom; infinite freedom is the normal distribution.
double quantile(double freedom) {
  auto whole = static_cast<size_t>(freedom);
  if (whole == 0) return kQuantilesOf95Percent[0];
  bool is_beyond = whole >= kKnown;
  double low = is_beyond ? static_cast<double>(kKnown) : static_cast<double>(whole);
  double at_low = kQuantilesOf95Percent[is_beyond ? kKnown - 1 : whole - 1];
  double inverse_of_high = is_beyond ? 0 : 1 / (low + 1);
  double at_high = is_beyond ? kDeviationsOf95Percent : kQuantilesOf95Percent[whole];
  double part = (1 / low - 1 / freedom) / (1 / low - inverse_of_high);
  return at_low + part * (at_high - at_low);
}

double variance_of_mean(const std::vector<double>& runs) {
  auto count = static_cast<double>(runs.size());
  double mean = std::accumulate(runs.begin(), runs.end(), 0.0) / count;
  double squares = 0;
  for (double run : runs) squares += (run - mean) * (run - mean);
  return squares / (count - 1) / count;
}

}  // namespace

double bound_of_mean(const std::vector<double>& runs) {
  return quantile(static_cast<double>(runs.size() - 1)) * std::sqrt(variance_of_mean(runs));
}

double bound_of_means(const std::vector<double>& before, const std::vector<double>& after) {
  double variances[2] = {variance_of_mean(before), variance_of_mean(after)};
  double both = variances[0] + variances[1];
  if (both <= 0) return 0;
  double freedom = both * both /
                   (variances[0] * variances[0] / static_cast<double>(before.size() - 1) +
                    variances[1] * variances[1] / static_cast<double>(after.size() - 1));
  return quantile(freedom) * std::sqrt(both);
}

}  // namespace hearth::profile
