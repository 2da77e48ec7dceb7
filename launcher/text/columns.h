// Text that has to fit a number of columns. Widths count characters of UTF-8, which is right but for the wide ones.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::launcher {

size_t columns_of(std::string_view text);

// The end of `name`, which tells most, behind "…" when it is longer than `columns` (1 at least).
std::string shortened(std::string_view name, size_t columns);

// A way of calls, outermost first, " › " between them, within `columns`: the first and the last frame, and of those
// between as many as fit, the inner ones before the outer ones; "… 12 …" stands for the rest. When two do not fit, they
// are shortened if `cut`.
std::string chain_text(const std::vector<std::string>& frames, size_t columns, bool cut);

// `text`, which is to stand behind `indent` columns, broken at blanks into lines of `columns`; all but the first begin
// with `indent` blanks. A longer word stays whole.
std::string wrapped(std::string_view text, size_t columns, size_t indent);

}  // namespace hearth::launcher
