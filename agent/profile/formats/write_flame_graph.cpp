#include <stdexcept>

#include "base/formatted.h"
#include "page.h"
#include "profile/codec/base64.h"
#include "profile/codec/deflate.h"
#include "profile/codec/utf8.h"
#include "profile/formats/formats.h"
#include "profile/page/flame_graph_page.h"
#include "profile/page/page_data.h"

namespace hearth::profile {
namespace {

constexpr std::string_view kTitle = "{{HEARTH_TITLE}}";
constexpr std::string_view kData = "{{HEARTH_DATA}}";

std::string html_escaped(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace

std::string fill_page(std::string_view page, std::string_view title, std::string_view payload) {
  size_t title_at = page.find(kTitle);
  size_t data_at = page.find(kData);
  if (title_at == std::string_view::npos || data_at == std::string_view::npos || title_at > data_at)
    throw std::logic_error(formatted("the page template must hold {} and, after it, {}", kTitle, kData));
  std::string data = deflate(payload, Wrapping::kRaw);
  std::string html;
  html.reserve(page.size() + title.size() * 2 + data.size() / 3 * 4 + 4);
  html += page.substr(0, title_at);
  html += html_escaped(shown_text(title));
  html += page.substr(title_at + kTitle.size(), data_at - title_at - kTitle.size());
  append_base64(html, data);
  html += page.substr(data_at + kData.size());
  return html;
}

std::string write_flame_graph(const Profile& profile, const WriteOptions& options) {
  return fill_page(html::flame_graph_page(), page_title(profile, options), encode_page_data(profile, options));
}

}  // namespace hearth::profile
