#include <array>
#include <charconv>
#include <utility>

#include "symbols/elf/demangle_rust.h"

namespace hearth::symbols {
namespace {

constexpr size_t kHashSize = 19;  // "::h" and 16 hexadecimal digits
constexpr std::string_view kHexDigits = "0123456789abcdef";

bool is_hash(std::string_view text) {
  return text.substr(0, 3) == "::h" && text.find_first_not_of(kHexDigits, 3) == std::string_view::npos;
}

// Returns the character of a code between two '$'; 0 if the code is unknown.
char unescaped(std::string_view code) {
  static constexpr std::array<std::pair<std::string_view, char>, 8> kCodes = {
      {{"SP", '@'}, {"BP", '*'}, {"RF", '&'}, {"LT", '<'}, {"GT", '>'}, {"LP", '('}, {"RP", ')'}, {"C", ','}}};
  for (auto [name, sign] : kCodes) {
    if (code == name) return sign;
  }
  unsigned value = 0;
  if (code.substr(0, 1) != "u") return 0;
  auto [end, error] = std::from_chars(code.data() + 1, code.data() + code.size(), value, 16);
  bool is_printable = error == std::errc() && end == code.data() + code.size() && value >= 0x20 && value < 0x7f;
  return is_printable ? static_cast<char>(value) : '\0';
}

}  // namespace

// core::ptr::drop_in_place$LT$alloc..string..String$GT$ -> core::ptr::drop_in_place<alloc::string::String>
std::string rust_legacy_name(std::string_view name) {
  if (name.size() <= kHashSize || !is_hash(name.substr(name.size() - kHashSize))) return "";
  name.remove_suffix(kHashSize);
  std::string result;
  for (size_t i = 0; i < name.size();) {
    bool starts_part = i == 0 || name[i - 1] == ':';
    size_t end = name[i] == '$' ? name.find('$', i + 1) : std::string_view::npos;
    char sign = end == std::string_view::npos ? '\0' : unescaped(name.substr(i + 1, end - i - 1));
    if (sign != 0) {
      result += sign;
      i = end + 1;
    } else if (name.substr(i, 2) == "..") {
      result += "::";
      i += 2;
    } else if (starts_part && name.substr(i, 2) == "_$") {
      ++i;  // the '_' is only there because identifiers do not start with '$'
    } else {
      result += name[i++];
    }
  }
  return result;
}

}  // namespace hearth::symbols
