// Transforms that a page applies to its stacks when it opens; its reader can switch each off.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hearth::profile {

struct Transform {
  std::string type;         // "filter", "group", …
  std::string what;         // a pattern (text, or /regex/ in JavaScript's syntax), or a label
  std::string replacement;  // of "replace"
  bool gaps = false;        // of "collapse-recursion"
};

// Parses a typed transform, in the form of kTransformForms. Throws FormatError with the problem and the accepted forms.
Transform transform_of_text(std::string_view typed);
inline constexpr std::string_view kTransformForms =
    "filter:P, remove:P, replace:/REGEX/TEXT/, hide:P, fold:P, keep-below:P, keep-above:P, collapse-recursion[:P], "
    "collapse-gaps[:P], merge-similar, group:LABEL; P is a text or /REGEX/";

// A literal text, or /regex/, /regex/i. Throws FormatError.
void check_pattern(std::string_view pattern);

// Adds a pattern of frames that a page colours when it opens. Throws FormatError, also for one too many.
void add_highlight(std::string_view pattern, std::vector<std::string>* highlights);
inline constexpr size_t kMostHighlights = 6;  // as many as there are colours for (html/model/view_state.js)

}  // namespace hearth::profile
