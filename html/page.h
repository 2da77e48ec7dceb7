// The page that shows a flame graph, as one HTML file without a profile in it.
#pragma once

#include <string_view>

namespace hearth::html {

// The page with {{HEARTH_TITLE}} (the writer escapes it for HTML) and {{HEARTH_DATA}} (base64), each exactly once.
// Lives as long as the process; safe on any thread.
std::string_view flame_graph_page();

}  // namespace hearth::html
