// Error estimates from several runs of one program: include all causes of differences, not only sampling.
#pragma once

#include <vector>

namespace hearth::profile {

// 95 % bound of the error of their mean; at least two runs.
double bound_of_mean(const std::vector<double>& runs);

// 95 % bound of the difference between the means of two groups of runs by chance alone (Welch's t-test). Each group has
// at least two runs.
double bound_of_means(const std::vector<double>& before, const std::vector<double>& after);

}  // namespace hearth::profile
