#include "base/nearest_word.h"

#include <algorithm>
#include <cstddef>

namespace hearth {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Returns the optimal string alignment distance, with three rows in memory: a swap reads the row before the last.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string_view> nearest_word(std::string_view word, const std::vector<std::string_view>& known) {
  std::optional<std::string_view> nearest;
  size_t nearest_distance = 0;
  for (std::string_view candidate : known) {
    size_t distance = edit_distance(word, candidate);
    size_t allowed = std::max(std::max(word.size(), candidate.size()) / 3, size_t{1});
    if (distance > allowed || (nearest && distance >= nearest_distance)) continue;
    nearest = candidate;
    nearest_distance = distance;
  }
  return nearest;
}

}  // namespace hearth
