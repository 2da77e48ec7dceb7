#include "symbols/elf/demangle.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include "symbols/elf/demangle_rust.h"

namespace hearth::symbols {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// foo.constprop.0.isra.0 -> foo. Cuts only words of GCC and LLVM and numbers: in other languages names contain dots.
std::string_view without_clone_suffix(std::string_view symbol) {
  static constexpr std::array<std::string_view, 9> kWords = {"constprop", "isra",       "part",  "cold", "lto_priv",
                                                             "llvm",      "localalias", "clone", "warm"};
  for (;;) {
    size_t dot = symbol.rfind('.');
    if (dot == std::string_view::npos || dot == 0) return symbol;
    std::string_view word = symbol.substr(dot + 1);
    if (!is_number(word) && std::find(kWords.begin(), kWords.end(), word) == kWords.end()) return symbol;
    symbol = symbol.substr(0, dot);
  }
}

// pthread_cond_wait@@GLIBC_2.3.2 -> pthread_cond_wait. Keeps a name that begins with @.
std::string_view without_version(std::string_view symbol) {
  size_t at = symbol.find('@');
  return at == 0 ? symbol : symbol.substr(0, at);
}

// "Foo::bar(int) const" -> "Foo::bar". Cuts the last balanced pair of parentheses that only qualifiers follow.
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

// "unsigned long ns::f<int>" -> "ns::f<int>": mangled names of templates include the return type.
void cut_return_type(std::string& name) {
  if (name.empty() || name.back() != '>') return;
  size_t end = std::min(name.find("operator"), name.size());  // ignores the space in "operator<< <char>"
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i < end; ++i) {
    if (name[i] == '<' || name[i] == '(' || name[i] == '{') ++depth;
    if (name[i] == '>' || name[i] == ')' || name[i] == '}') --depth;
    bool qualifies = name.compare(i + 1, 7, "const::") == 0;  // the function that contains a lambda
    if (name[i] == ' ' && depth == 0 && !qualifies) begin = i + 1;
  }
  name.erase(0, begin);
}

// "A<B<C> >" -> "A<B<C>>".
void close_up_templates(std::string& name) {
  for (size_t at = name.find("> >"); at != std::string::npos; at = name.find("> >", at)) name.erase(at + 1, 1);
}

}  // namespace

Demangled demangle(std::string_view symbol) {
  std::string plain(without_clone_suffix(without_version(symbol)));
  std::string rust = rust_v0_name(plain);
  if (!rust.empty()) return {rust, true};
  if (plain.compare(0, 2, "_Z") != 0) return {plain, false};
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(plain.c_str(), nullptr, nullptr, &status),
                                                   &std::free);
  if (!text) return {plain, false};
  rust = rust_legacy_name(text.get());
  if (!rust.empty()) return {rust, true};
  std::string name = text.get();
  cut_parameters(name);
  cut_return_type(name);
  close_up_templates(name);
  return {name, true};
}

}  // namespace hearth::symbols
