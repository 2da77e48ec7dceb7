#include "page.h"

#include <zlib.h>

#include <climits>
#include <stdexcept>
#include <string>

// In page.S, which the assembler fills from the folded and gzipped pages.
extern "C" {
extern const char hearth_flame_graph_page[];
extern const char hearth_flame_graph_page_end[];
extern const char hearth_console_page[];
extern const char hearth_console_page_end[];
}

namespace hearth::html {
namespace {

// A gzip file ends with the size of its content, in four bytes, the lowest first (RFC 1952, 2.3.1).
size_t unpacked_size(const unsigned char* end) {
  size_t size = 0;
  for (int i = 1; i <= 4; i++) size = size << CHAR_BIT | end[-i];
  return size;
}

std::string unpacked(const char* begin, const char* end) {
  constexpr int kGzip = 16;  // added to windowBits (zlib.h, inflateInit2)
  std::string page(unpacked_size(reinterpret_cast<const unsigned char*>(end)), '\0');
  z_stream stream{};
  if (inflateInit2(&stream, MAX_WBITS + kGzip) != Z_OK) throw std::runtime_error("zlib cannot get memory for a page");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(begin));
  stream.avail_in = static_cast<uInt>(end - begin);
  stream.next_out = reinterpret_cast<Bytef*>(page.data());
  stream.avail_out = static_cast<uInt>(page.size());
  int result = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (result != Z_STREAM_END) throw std::runtime_error("zlib cannot unpack a page");
  return page;
}

}  // namespace

std::string_view flame_graph_page() {
  static const auto* page = new std::string(unpacked(hearth_flame_graph_page, hearth_flame_graph_page_end));
  return *page;
}

std::string_view console_page() {
  static const auto* page = new std::string(unpacked(hearth_console_page, hearth_console_page_end));
  return *page;
}

std::string_view console_policy() {
  constexpr std::string_view kBegin = "http-equiv=\"Content-Security-Policy\" content=\"";
  std::string_view page = console_page();
  size_t begin = page.find(kBegin) + kBegin.size();
  return page.substr(begin, page.find('"', begin) - begin);
}

}  // namespace hearth::html
