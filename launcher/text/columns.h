// Fits text into columns. Widths count UTF-8 characters, which is correct except for wide ones.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::launcher {

size_t columns_of(std::string_view text);

// The end of `name`, its most specific part, after "…" if it is longer than `columns` (at least 1).
std::string shortened(std::string_view name, size_t columns);

// A chain of calls, outermost first, " › " between them, within `columns`: the first and the last frame, and as many of
// the others as fit, inner ones first; "… 12 …" represents the rest. If two do not fit, they are shortened if `cut`.
std::string chain_text(const std::vector<std::string>& frames, size_t columns, bool cut);

// A line, bold on a terminal.
std::string heading_line(std::string_view text, bool on_terminal);

// `text`, to be printed after `indent` columns, broken at blanks into lines of `columns`; all but the first begin with
// `indent` blanks. Longer words are not broken.
std::string wrapped(std::string_view text, size_t columns, size_t indent);

}  // namespace hearth::launcher
