#include "symbols/demangle.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

namespace hearth::symbols {
namespace {

constexpr size_t kRustHashSize = 19;  // "::h" and 16 hexadecimal digits

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool is_all(std::string_view text, std::string_view allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

// foo.constprop.0.isra.0 -> foo. Only words of GCC and LLVM and numbers: dots are part of a name in other languages.
std::string_view without_clone_suffix(std::string_view symbol) {
  static constexpr std::array<std::string_view, 9> kWords = {"constprop", "isra",       "part",  "cold", "lto_priv",
                                                             "llvm",      "localalias", "clone", "warm"};
  for (;;) {
    size_t dot = symbol.rfind('.');
    if (dot == std::string_view::npos || dot == 0) return symbol;
    std::string_view word = symbol.substr(dot + 1);
    if (!is_all(word, "0123456789") && std::find(kWords.begin(), kWords.end(), word) == kWords.end()) return symbol;
    symbol = symbol.substr(0, dot);
  }
}

// "Foo::bar(int) const" -> "Foo::bar". The list to cut is the last balanced pair that only qualifiers follow.
void cut_parameters(std::string& name) {
  size_t close = name.rfind(')');
  if (close == std::string::npos || name.find_first_of(":}>", close) != std::string::npos) return;
  int depth = 0;
  for (size_t i = close + 1; i-- > 0;) {
    if (name[i] == ')') ++depth;
    if (name[i] == '(' && --depth == 0) {
      if (i > 0) name.resize(i);
      return;
    }
  }
}

// "A<B<C> >" -> "A<B<C>>".
void close_up_templates(std::string& name) {
  for (size_t at = name.find("> >"); at != std::string::npos; at = name.find("> >", at)) name.erase(at + 1, 1);
}

bool has_rust_hash(std::string_view name) {
  if (name.size() <= kRustHashSize) return false;
  std::string_view hash = name.substr(name.size() - kRustHashSize);
  return hash.substr(0, 3) == "::h" && is_all(hash.substr(3), "0123456789abcdef");
}

// What stands between two '$' in a Rust name of the first mangling; 0 when it is nothing known.
char rust_escape(std::string_view code) {
  static constexpr std::array<std::pair<std::string_view, char>, 8> kCodes = {
      {{"SP", '@'}, {"BP", '*'}, {"RF", '&'}, {"LT", '<'}, {"GT", '>'}, {"LP", '('}, {"RP", ')'}, {"C", ','}}};
  for (auto [name, sign] : kCodes) {
    if (code == name) return sign;
  }
  if (code.size() < 2 || code.size() > 3 || code[0] != 'u' || !is_all(code.substr(1), "0123456789abcdef")) return 0;
  long value = std::strtol(std::string(code.substr(1)).c_str(), nullptr, 16);
  return value >= 0x20 && value < 0x7f ? static_cast<char>(value) : '\0';
}

// core::ptr::drop_in_place$LT$alloc..string..String$GT$::h0123456789abcdef ->
// core::ptr::drop_in_place<alloc::string::String>
std::string rust_name(std::string_view name) {
  name.remove_suffix(kRustHashSize);
  std::string result;
  for (size_t i = 0; i < name.size();) {
    bool starts_part = i == 0 || ends_with(name.substr(0, i), "::");
    if (name[i] == '_' && starts_part && name.substr(i + 1, 1) == "$") {
      ++i;  // only there because identifiers do not start with '$'
    } else if (name.substr(i, 2) == "..") {
      result += "::";
      i += 2;
    } else if (size_t end = name[i] == '$' ? name.find('$', i + 1) : std::string_view::npos;
               end != std::string_view::npos && rust_escape(name.substr(i + 1, end - i - 1)) != 0) {
      result += rust_escape(name.substr(i + 1, end - i - 1));
      i = end + 1;
    } else {
      result += name[i++];
    }
  }
  return result;
}

}  // namespace

Demangled demangle(std::string_view symbol) {
  std::string plain(without_clone_suffix(symbol));
  if (plain.compare(0, 2, "_Z") != 0) return {plain, false};
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(plain.c_str(), nullptr, nullptr, &status),
                                                   &std::free);
  if (!text) return {plain, false};
  std::string name = text.get();
  if (has_rust_hash(name)) return {rust_name(name), true};
  cut_parameters(name);
  close_up_templates(name);
  return {name, true};
}

}  // namespace hearth::symbols
