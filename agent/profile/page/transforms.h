// What a page does to its stacks when it opens, given when it is made; who reads it can switch each off.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hearth::profile {

struct Transform {
  std::string type;         // "filter", "group", …
  std::string what;         // a pattern (text, or /regex/ as JavaScript has them), or a label
  std::string replacement;  // of "replace"
  bool gaps = false;        // of "collapse-recursion"
};

// What a person types, as kTransformForms says. Throws FormatError: what is wrong, and what is accepted.
Transform transform_of_text(std::string_view typed);
inline constexpr std::string_view kTransformForms =
    "filter:P, remove:P, replace:/REGEX/TEXT/, hide:P, fold:P, keep-below:P, keep-above:P, collapse-recursion[:P], "
    "collapse-gaps[:P], merge-similar, group:LABEL; P is a text or /REGEX/";

// A text that is looked for as it stands, or /regex/, /regex/i. Throws FormatError.
void check_pattern(std::string_view pattern);

// Adds a pattern that a page colours when it opens. Throws FormatError, for one too many as well.
void add_highlight(std::string_view pattern, std::vector<std::string>* highlights);
inline constexpr size_t kMostHighlights = 6;  // as many as there are colours for (html/model/view_state.js)

}  // namespace hearth::profile
