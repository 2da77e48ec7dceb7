#include "profile/codec/utf8.h"

#include <cstdint>

namespace hearth::profile {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_continuation(uint8_t byte) {
  return (byte & 0xC0) == 0x80;
}

// Length of the well-formed sequence at the start of `text`, 0 if there is none.
size_t sequence_length(std::string_view text) {
  auto byte = [&](size_t at) { return at < text.size() ? static_cast<uint8_t>(text[at]) : uint8_t{0}; };
  uint8_t first = byte(0);
  uint8_t second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return is_continuation(second) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    bool overlong = first == 0xE0 && second < 0xA0;
    bool surrogate = first == 0xED && second >= 0xA0;
    return is_continuation(second) && is_continuation(byte(2)) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    bool overlong = first == 0xF0 && second < 0x90;
    bool beyond = first == 0xF4 && second >= 0x90;
    bool whole = is_continuation(second) && is_continuation(byte(2)) && is_continuation(byte(3));
    return whole && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

bool is_blank(std::string_view sequence) {
  return sequence == "\t" || sequence == "\n" || sequence == "\r";
}

// For a well-formed sequence: C0, DEL, C1; U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069.
bool is_control(std::string_view sequence) {
  auto byte = [&](size_t at) { return static_cast<uint8_t>(sequence[at]); };
  if (sequence.size() == 1) return byte(0) < ' ' || byte(0) == 0x7F;
  if (sequence.size() == 2) return byte(0) == 0xC2 && byte(1) < 0xA0;
  if (sequence.size() != 3 || byte(0) != 0xE2) return false;
  if (byte(1) == 0x80) return byte(2) == 0x8E || byte(2) == 0x8F || (byte(2) >= 0xA8 && byte(2) <= 0xAE);
  return byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9;
}

// Replaces each well-formed sequence by the result of `replace`.
template <typename Replace>
std::string rewritten(std::string_view text, Replace replace) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    size_t length = sequence_length(text);
    valid += length > 0 ? replace(text.substr(0, length)) : kReplacement;
    text.remove_prefix(length > 0 ? length : 1);
  }
  return valid;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  return rewritten(text, [](std::string_view sequence) { return sequence; });
}

std::string shown_text(std::string_view text) {
  return rewritten(text, [](std::string_view sequence) {
    return is_blank(sequence) ? std::string_view(" ") : is_control(sequence) ? kReplacement : sequence;
  });
}

std::string shown_lines(std::string_view text) {
  return rewritten(text, [](std::string_view sequence) {
    bool stays = sequence == "\t" || sequence == "\n" || !is_control(sequence);
    return stays ? sequence : kReplacement;
  });
}

size_t whole_letters(std::string_view text) {
  constexpr size_t kLongest = 4;
  for (size_t back = 1; back < kLongest && back <= text.size(); ++back) {
    auto first = static_cast<uint8_t>(text[text.size() - back]);
    if (is_continuation(first)) continue;
    size_t wanted = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
    return wanted > back ? text.size() - back : text.size();
  }
  return text.size();
}

std::string_view cut_text(std::string_view text, size_t most) {
  return text.size() <= most ? text : text.substr(0, whole_letters(text.substr(0, most)));
}

}  // namespace hearth::profile
