#include "profile/codec/base64.h"

#include <array>
#include <cstdint>

#include "base/formatted.h"
#include "profile/formats/formats.h"

namespace hearth::profile {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNoDigit = 0xFF;

std::array<uint8_t, 256> digit_values() {
  std::array<uint8_t, 256> values;
  values.fill(kNoDigit);
  for (size_t digit = 0; digit < kDigits.size(); ++digit)
    values[static_cast<uint8_t>(kDigits[digit])] = static_cast<uint8_t>(digit);
  return values;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

}  // namespace

void append_base64(std::string& out, std::string_view bytes) {
  size_t at = out.size();
  out.resize(at + (bytes.size() + 2) / 3 * 4, '=');
  for (; !bytes.empty(); bytes.remove_prefix(bytes.size() < 3 ? bytes.size() : 3)) {
    size_t count = bytes.size() < 3 ? bytes.size() : 3;
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; ++i) bits = bits << 8 | (i < count ? static_cast<uint8_t>(bytes[i]) : 0);
    for (size_t i = 0; i <= count; ++i) out[at + i] = kDigits[bits >> (18 - 6 * i) & 63];
    at += 4;
  }
}

std::string decode_base64(std::string_view text, const char* what) {
  static const std::array<uint8_t, 256> kValues = digit_values();
  text = trimmed(text);
  if (text.size() % 4 != 0) throw FormatError(formatted("{} is cut short: base64 comes in groups of four", what));
  for (int padding = 0; padding < 2 && !text.empty() && text.back() == '='; ++padding) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  uint32_t bits = 0;
  unsigned held = 0;
  for (char digit : text) {
    uint8_t value = kValues[static_cast<uint8_t>(digit)];
    if (value == kNoDigit) throw FormatError(formatted("{} is damaged: it holds a character that is not base64", what));
    bits = bits << 6 | value;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push_back(static_cast<char>(bits >> held));
  }
  return bytes;
}

}  // namespace hearth::profile
