// The known word that a mistyped one most likely meant.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace hearth {

// The word of `known` with the smallest edit distance to `word` (insert, delete, replace, swap of neighbours; case is
// ignored), the first one of equals. Empty when every known word is further away than a third of the longer word,
// rounded down, though one slip always may be: a guess would mislead.
std::optional<std::string_view> nearest_word(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace hearth
