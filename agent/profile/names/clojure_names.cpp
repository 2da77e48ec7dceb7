// Converts names of the classes that Clojure's compiler makes for functions to the names in the source.
#include <algorithm>
#include <array>
#include <utility>

#include "profile/names/java_names.h"

namespace hearth::profile {
namespace {

// clojure.lang.Compiler.CHAR_MAP, and _DOT_, which FnExpr uses for a dot in a function's name. '$' separates nested
// names.
constexpr std::array<std::pair<std::string_view, char>, 25> kMunged = {
    {{"_COLON_", ':'},       {"_PLUS_", '+'},    {"_GT_", '>'},     {"_LT_", '<'},        {"_EQ_", '='},
     {"_TILDE_", '~'},       {"_BANG_", '!'},    {"_CIRCA_", '@'},  {"_SHARP_", '#'},     {"_SINGLEQUOTE_", '\''},
     {"_DOUBLEQUOTE_", '"'}, {"_PERCENT_", '%'}, {"_CARET_", '^'},  {"_AMPERSAND_", '&'}, {"_STAR_", '*'},
     {"_BAR_", '|'},         {"_LBRACE_", '{'},  {"_RBRACE_", '}'}, {"_LBRACK_", '['},    {"_RBRACK_", ']'},
     {"_SLASH_", '/'},       {"_BSLASH_", '\\'}, {"_QMARK_", '?'},  {"_DOT_", '.'},       {"$", '/'}}};

// Methods through which a function's body runs; for users they are one function.
bool runs_function(std::string_view method) {
  static constexpr std::array<std::string_view, 5> kMethods = {"invoke", "invokeStatic", "doInvoke", "invokePrim",
                                                               "applyTo"};
  return std::find(kMethods.begin(), kMethods.end(), method) != kMethods.end();
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// fn__123, inner__34, reify__5 or eval12: names from Clojure's compiler only.
bool is_numbered(std::string_view part) {
  size_t mark = part.rfind("__");
  if (mark != std::string_view::npos && mark > 0 && is_digits(part.substr(mark + 2))) return true;
  return part.substr(0, 4) == "eval" && is_digits(part.substr(4));
}

bool has_numbered_part(std::string_view nested) {
  while (!nested.empty()) {
    size_t end = nested.find('$');
    if (is_numbered(nested.substr(0, end))) return true;
    nested = end == std::string_view::npos ? std::string_view() : nested.substr(end + 1);
  }
  return false;
}

// Decides by the form of the name alone:
// - Before the first '$' is a namespace, with a last segment that starts with a lower-case letter. Java, Kotlin and
//   Scala have a class there (java/util/HashMap$Node, FooKt$bar$1). Scala's package objects ("package") are the known
//   exception.
// - Java numbers its anonymous classes (rmiURLContext$1); no Clojure symbol starts with a digit.
// - A namespace or record with a capital is accepted only with a numbered part after the '$'.
// - Classes of proxy ("ns/proxy$java/io/Writer$ff19274a") have a '/' after the '$'; hidden classes have "/0x" or ".0x".
bool is_clojure_class(std::string_view class_name) {
  size_t dollar = class_name.find('$');
  if (dollar == std::string_view::npos || dollar + 1 == class_name.size()) return false;
  std::string_view nested = class_name.substr(dollar + 1);
  bool is_part = nested.front() != '$' && (nested.front() < '0' || nested.front() > '9');
  if (!is_part || nested.find_first_of("/.") != std::string_view::npos) return false;
  std::string_view outer = class_name.substr(0, dollar);
  outer.remove_prefix(outer.rfind('/') + 1);
  if (outer.empty() || outer == "package") return false;
  bool is_capital = outer.front() >= 'A' && outer.front() <= 'Z';
  return !is_capital || has_numbered_part(nested);
}

// Ranks the methods of one Clojure call from outer to inner (clojure.lang.AFn, RestFn, the compiler's invokeStatic).
int call_rank(std::string_view method) {
  if (method == "applyTo" || method == "applyToHelper") return 1;
  if (method == "invoke" || method == "invokePrim") return 2;
  if (method == "doInvoke") return 3;
  if (method == "invokeStatic") return 4;
  return 0;
}

}  // namespace

std::string demunge(std::string_view munged) {
  std::string result;
  result.reserve(munged.size());
  while (!munged.empty()) {
    auto word = std::find_if(kMunged.begin(), kMunged.end(),
                             [&](const auto& entry) { return munged.substr(0, entry.first.size()) == entry.first; });
    bool is_word = word != kMunged.end();
    result += is_word ? word->second : munged.front() == '_' ? '-' : munged.front();
    munged.remove_prefix(is_word ? word->first.size() : 1);
  }
  return result;
}

std::string clojure_name(std::string_view class_name, std::string_view method) {
  if (!is_clojure_class(class_name)) return "";
  std::string dotted(class_name);
  std::replace(dotted.begin(), dotted.end(), '/', '.');
  std::string name = demunge(dotted);
  if (!runs_function(method)) name.append(".").append(demunge(method));
  return name;
}

bool are_one_clojure_call(std::string_view outer, std::string_view inner) {
  int rank = call_rank(outer);
  return rank != 0 && call_rank(inner) > rank;
}

}  // namespace hearth::profile
