// Suggests the known word that a mistyped one probably means.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace hearth {

// Returns the word of `known` with the smallest edit distance to `word` (insert, delete, replace, swap of neighbours;
// case is ignored), the first among equals. Empty if each is further away than a third of the longer word, rounded
// down, but at least 1: a wild guess would mislead.
std::optional<std::string_view> nearest_word(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace hearth
