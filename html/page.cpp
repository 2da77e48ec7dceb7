#include "page.h"

#include <cstddef>

// In page.S, which the assembler fills from the folded page.
extern "C" {
extern const char hearth_flame_graph_page[];
extern const char hearth_flame_graph_page_end[];
}

namespace hearth::html {

std::string_view flame_graph_page() {
  return {hearth_flame_graph_page, static_cast<size_t>(hearth_flame_graph_page_end - hearth_flame_graph_page)};
}

}  // namespace hearth::html
