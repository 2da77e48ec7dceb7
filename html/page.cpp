#include "page.h"

#include <cstddef>

// In page.S, which the assembler fills from the folded pages.
extern "C" {
extern const char hearth_flame_graph_page[];
extern const char hearth_flame_graph_page_end[];
extern const char hearth_console_page[];
extern const char hearth_console_page_end[];
}

namespace hearth::html {
namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(end - begin)};
}

}  // namespace

std::string_view flame_graph_page() {
  return between(hearth_flame_graph_page, hearth_flame_graph_page_end);
}

std::string_view console_page() {
  return between(hearth_console_page, hearth_console_page_end);
}

std::string_view console_policy() {
  constexpr std::string_view kBegin = "http-equiv=\"Content-Security-Policy\" content=\"";
  std::string_view page = console_page();
  size_t begin = page.find(kBegin) + kBegin.size();
  return page.substr(begin, page.find('"', begin) - begin);
}

}  // namespace hearth::html
