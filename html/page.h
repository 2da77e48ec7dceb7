// The pages, each as one HTML file. The library holds them gzipped; the first use of each unpacks it (about 200 KB, 2
// ms), and then it lives as long as the process. Any thread. Throws std::runtime_error where there is no memory for it.
#pragma once

#include <string_view>

namespace hearth::html {

// The page that shows a flame graph, without a profile in it: with {{HEARTH_TITLE}} (the writer escapes it for HTML)
// and
// {{HEARTH_DATA}} (base64), each exactly once.
std::string_view flame_graph_page();

// The console of the control server.
std::string_view console_page();
// Its Content-Security-Policy, for the header that comes with it.
std::string_view console_policy();

}  // namespace hearth::html
