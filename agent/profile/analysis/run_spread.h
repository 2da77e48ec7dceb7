// What several runs of one program tell of chance: all that made them differ, not only which samples were taken.
#pragma once

#include <vector>

namespace hearth::profile {

// How far the means of two groups of runs may lie apart, for nothing but chance, in 95 of 100 such groups (Welch's
// t-test). Each group is of two runs or more.
double bound_of_means(const std::vector<double>& before, const std::vector<double>& after);

}  // namespace hearth::profile
