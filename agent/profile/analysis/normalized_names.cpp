#include "profile/analysis/normalized_names.h"

#include <algorithm>

#include "base/text_parts.h"
#include "profile/formats/frame_text.h"

namespace hearth::profile {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kNumbered[] = {"$$Lambda$",
                                          "$Proxy",
                                          "LambdaForm$MH",
                                          "LambdaForm$DMH",
                                          "LambdaForm$BMH",
                                          "GeneratedMethodAccessor",
                                          "GeneratedConstructorAccessor",
                                          "GeneratedSerializationConstructorAccessor"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_part_of_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<signed char>(c) < 0;
}

// Number of characters before a number that are removed with it; npos: the number stays.
size_t cut_before_number(std::string_view stem) {
  for (std::string_view mark : {"--", "__"})
    if (stem.size() > mark.size() && ends_with(stem, mark)) return mark.size();
  for (std::string_view word : {"/eval", "$eval"})
    if (ends_with(stem, word)) return 0;
  for (std::string_view known : kNumbered)
    if (ends_with(stem, known)) return known.back() == '$' ? 1 : 0;
  return std::string_view::npos;
}

// True if the address or number of a hidden class follows: no hand-written name continues so.
bool begins_hidden_suffix(std::string_view stem) {
  return stem.size() > 1 && (stem.back() == '/' || stem.back() == '.' || stem.back() == '+');
}

size_t end_of_word(std::string_view name, size_t at) {
  while (at < name.size() && is_part_of_word(name[at])) ++at;
  return at;
}

std::string without_numbers(std::string_view name) {
  size_t end = std::min(name.find('('), name.size());  // a signature contains no generated class
  std::string result;
  for (size_t at = 0; at < end;) {
    if (!is_digit(name[at]) || (at > 0 && is_digit(name[at - 1]))) {
      result += name[at++];
      continue;
    }
    size_t after = std::min(name.find_first_not_of(kDigits, at), end);
    bool is_whole = after == end || !is_part_of_word(name[after]);
    size_t cut = is_whole ? cut_before_number(result) : std::string_view::npos;
    if (begins_hidden_suffix(result)) {
      result.pop_back();
      at = end_of_word(name.substr(0, end), at);
    } else if (cut != std::string_view::npos) {
      result.resize(result.size() - cut);
      at = after;
    } else {
      result += name[at++];
    }
  }
  return result.append(name.substr(end));
}

}  // namespace

std::string normalized_name(std::string_view name, FrameKind kind) {
  if (kind == FrameKind::kThread) {
    size_t id = name.rfind(" tid=");
    return id == std::string_view::npos ? std::string(name) : std::string(name.substr(0, id)) + "]";
  }
  return is_java(kind) || kind == FrameKind::kClass ? without_numbers(name) : std::string(name);
}

}  // namespace hearth::profile
