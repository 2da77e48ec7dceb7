#include "profile/otlp/otlp_link.h"

#include <string_view>

#include "profile/model/label_values.h"

namespace hearth::profile {
namespace {

std::string_view text_of(const LabelSet& labels, std::string_view key) {
  for (const Label& label : labels)
    if (label.key == key) return label.text;
  return "";
}

// "" for an invalid id, such as zeros only or one with capitals: each id has one spelling.
std::string id_bytes(std::string_view text, size_t size) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (text.size() != 2 * size || text.find_first_not_of(kDigits) != text.npos) return "";
  if (text.find_first_not_of('0') == text.npos) return "";
  std::string bytes;
  for (size_t at = 0; at < text.size(); at += 2)
    bytes.push_back(static_cast<char>(kDigits.find(text[at]) << 4 | kDigits.find(text[at + 1])));
  return bytes;
}

}  // namespace

std::string otlp_link(const LabelSet& labels) {
  std::string trace = id_bytes(text_of(labels, kTraceIdLabel), kTraceIdBytes);
  std::string span = id_bytes(text_of(labels, kSpanIdLabel), kSpanIdBytes);
  return trace.empty() || span.empty() ? "" : trace + span;
}

}  // namespace hearth::profile
