#include "http/server/request_target.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

namespace hearth::http {
namespace {

std::string query_text(std::string_view text) {
  std::string blanks(text);
  std::replace(blanks.begin(), blanks.end(), '+', ' ');
  return percent_decoded(blanks);
}

using Pairs = std::set<std::pair<std::string, std::string>>;

// `known`: the pairs before this one. A key may have thousands of values, so they are not compared one by one.
void add_pair(std::string_view pair, Pairs* known, Request* request) {
  size_t equals = std::min(pair.find('='), pair.size());
  if (equals == 0) return;
  std::string key = query_text(pair.substr(0, equals));
  std::string value = query_text(pair.substr(std::min(equals + 1, pair.size())));
  if (known->emplace(key, value).second) request->query.emplace(std::move(key), std::move(value));
}

}  // namespace

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (size_t i = 0; i < text.size(); i++) {
    constexpr size_t kDigits = 2;
    unsigned char byte = 0;
    std::string_view digits = text.substr(i + 1, kDigits);
    const char* end = digits.data() + digits.size();
    bool is_escape =
        text[i] == '%' && digits.size() == kDigits && std::from_chars(digits.data(), end, byte, 16).ptr == end;
    decoded += is_escape ? static_cast<char>(byte) : text[i];
    if (is_escape) i += kDigits;
  }
  return decoded;
}

void set_target(std::string_view target, Request* request) {
  target = target.substr(0, target.find('#'));
  size_t mark = std::min(target.find('?'), target.size());
  request->path = percent_decoded(target.substr(0, mark));
  request->query.clear();
  std::string_view query = target.substr(std::min(mark + 1, target.size()));
  Pairs known;
  while (!query.empty()) {
    std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    add_pair(pair, &known, request);
  }
}

}  // namespace hearth::http
