#include "profile/codec/base64.h"
#include "profile/codec/deflate.h"
#include "profile/formats/formats.h"
#include "profile/page/flame_graph_page.h"
#include "profile/page/page_data.h"

namespace hearth::profile {
namespace {

constexpr const char* kWhat = "the page's data";
constexpr std::string_view kStart = R"(<script id="hearth-data" type="application/octet-stream">)";
constexpr std::string_view kEnd = "</script>";

}  // namespace

std::string page_payload(std::string_view page) {
  size_t start = page.find(kStart);
  if (start == std::string_view::npos)
    throw FormatError("this page holds no profile; only pages that hearth wrote can be read");
  page.remove_prefix(start + kStart.size());
  size_t end = page.find(kEnd);
  if (end == std::string_view::npos) throw FormatError("this page is cut short: its data does not end");
  return inflate(decode_base64(page.substr(0, end), kWhat), Wrapping::kRaw, kWhat);
}

Profile read_flame_graph(std::string_view html) {
  return decode_page_data(page_payload(html), html.size());
}

}  // namespace hearth::profile
