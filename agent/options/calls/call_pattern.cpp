#include "options/calls/call_pattern.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"

namespace hearth::options {
namespace {

bool matches(std::string_view pattern, std::string_view text) {
  size_t at = 0, in_text = 0, star = std::string_view::npos, resume = 0;
  while (in_text < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      resume = in_text;
    } else if (at < pattern.size() && pattern[at] == text[in_text]) {
      at++;
      in_text++;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      in_text = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

// Names of characters in clojure.lang.Compiler.CHAR_MAP. No * and no /, which patterns have a use for.
constexpr std::pair<char, std::string_view> kMunged[] = {
    {'-', "_"},         {':', "_COLON_"},  {'+', "_PLUS_"},         {'>', "_GT_"},
    {'<', "_LT_"},      {'=', "_EQ_"},     {'~', "_TILDE_"},        {'!', "_BANG_"},
    {'@', "_CIRCA_"},   {'#', "_SHARP_"},  {'\'', "_SINGLEQUOTE_"}, {'"', "_DOUBLEQUOTE_"},
    {'%', "_PERCENT_"}, {'^', "_CARET_"},  {'&', "_AMPERSAND_"},    {'{', "_LBRACE_"},
    {'}', "_RBRACE_"},  {'[', "_LBRACK_"}, {']', "_RBRACK_"},       {'\\', "_BSLASH_"},
    {'?', "_QMARK_"},   {'|', "_BAR_"}};

// As Clojure's compiler writes a name; * stays.
std::string munged(std::string_view name) {
  std::string out;
  for (char c : name) {
    const auto* known =
        std::find_if(std::begin(kMunged), std::end(kMunged), [c](const auto& one) { return one.first == c; });
    known == std::end(kMunged) ? void(out += c) : void(out += known->second);
  }
  return out;
}

std::string with_slashes(std::string name) {
  std::replace(name.begin(), name.end(), '.', '/');
  return name;
}

[[noreturn]] void refuse(const std::string& text) {
  throw Error(formatted("{} names no method", text), "write CLASS.METHOD, as com.acme.Shop.buy, or NAMESPACE/FUNCTION");
}

}  // namespace

CallPattern::CallPattern(const std::string& text) {
  size_t arguments = std::min(text.find('('), text.size());
  std::string name = text.substr(0, arguments);
  descriptor_ = text.substr(arguments);
  size_t slash = name.find('/');
  is_clojure_ = slash != std::string::npos;
  size_t end = is_clojure_ ? slash : name.rfind('.');
  if (end == std::string::npos || end == 0 || end + 1 == name.size()) refuse(text);
  class_ = with_slashes(name.substr(0, end));
  method_ = name.substr(end + 1);
  if (is_clojure_) class_ = munged(class_) + "$" + munged(method_);
}

bool CallPattern::matches_class(std::string_view name) const {
  return matches(class_, name);
}

bool CallPattern::matches_method(std::string_view name, std::string_view descriptor, bool has_invoke_static) const {
  if (!descriptor_.empty() && !matches(descriptor_, descriptor)) return false;
  if (!is_clojure_) return matches(method_, name);
  if (has_invoke_static) return name == "invokeStatic";
  return name == "invoke" || name == "doInvoke" || name == "invokePrim";
}

bool names_method(std::string_view text) {
  size_t first = text.find_first_of("./=");
  return first != std::string_view::npos && text[first] != '=';
}

}  // namespace hearth::options
