#include "profile/names/java_names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hearth::profile {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view primitive_name(char code) {
  static constexpr std::array<std::pair<char, std::string_view>, 8> kNames = {{{'B', "byte"},
                                                                               {'C', "char"},
                                                                               {'D', "double"},
                                                                               {'F', "float"},
                                                                               {'I', "int"},
                                                                               {'J', "long"},
                                                                               {'S', "short"},
                                                                               {'Z', "boolean"}}};
  for (auto [letter, name] : kNames) {
    if (letter == code) return name;
  }
  return "";
}

// "Ljava/lang/String;" -> "java/lang/String", "[[I" -> "int[][]"; others are names already.
std::string class_name_of(std::string_view signature) {
  size_t dimensions = std::min(signature.find_first_not_of('['), signature.size());
  std::string_view element = signature.substr(dimensions);
  std::string name(element);
  if (element.size() > 2 && element.front() == 'L' && element.back() == ';')
    name = element.substr(1, element.size() - 2);
  else if (dimensions > 0 && element.size() == 1)
    name = primitive_name(element.front());
  for (size_t i = 0; i < dimensions; ++i) name += "[]";
  return name;
}

// Returns the position of the address in a hidden class's name: "Foo$$Lambda$14/0x0000000800c03000", ".0x…" from JVMTI,
// "+0x…" inside HotSpot.
size_t hidden_suffix(std::string_view name) {
  size_t separator = name.find_last_of("/.+");
  bool is_suffix = separator != std::string_view::npos && separator > 0 && separator + 1 < name.size() &&
                   is_digit(name[separator + 1]);
  return is_suffix ? separator : name.size();
}

// Cuts the number at the end of a class that the JDK numbers consecutively.
void cut_class_number(std::string& name) {
  static constexpr std::array<std::string_view, 6> kNumbered = {"$$Lambda$",
                                                                "$Proxy",
                                                                "GeneratedMethodAccessor",
                                                                "GeneratedConstructorAccessor",
                                                                "LambdaForm$MH",
                                                                "GeneratedSerializationConstructorAccessor"};
  size_t number = name.find_last_not_of(kDigits) + 1;
  if (number == name.size()) return;
  std::string_view stem = std::string_view(name).substr(0, number);
  for (std::string_view end : kNumbered) {
    if (stem.size() < end.size() || stem.substr(stem.size() - end.size()) != end) continue;
    name.resize(number - (end.back() == '$' ? 1 : 0));
    return;
  }
}

// Cuts the numbers of Clojure's compiler from the parts of a name: fn--12 -> fn, G--8149--8161 -> G, eval123 -> eval.
// `mark`: the separator before them, "--" or munged "__". The first part is a namespace.
std::string normal_parts(std::string_view name, std::string_view separators, std::string_view mark) {
  std::string result;
  while (!name.empty()) {
    size_t length = std::min(name.find_first_of(separators), name.size());
    std::string_view part = name.substr(0, length);
    for (bool is_cut = !result.empty(); is_cut;) {
      size_t number = part.find_last_not_of(kDigits) + 1;
      std::string_view stem = part.substr(0, number);
      bool is_marked = stem.size() > mark.size() && stem.substr(stem.size() - mark.size()) == mark;
      is_cut = number < part.size() && (is_marked || stem == "eval");
      if (is_cut) part = is_marked ? stem.substr(0, stem.size() - mark.size()) : stem;
    }
    result.append(part).append(name.substr(length, 1));
    name.remove_prefix(std::min(length + 1, name.size()));
  }
  return result;
}

std::string normal_class(std::string_view name) {
  if (!clojure_name(name, "invoke").empty()) return normal_parts(name, "$", "__");
  std::string result(name.substr(0, hidden_suffix(name)));
  cut_class_number(result);
  return result;
}

// Returns the part up to `end` after the last separator, ignoring that of a hidden class.
size_t simple_start(std::string_view name, char separator, size_t end) {
  size_t last = end == 0 ? std::string_view::npos : name.rfind(separator, end - 1);
  return last == std::string_view::npos ? 0 : last + 1;
}

std::string clojure_frame(std::string name, const JavaNameStyle& style) {
  if (style.normalize) name = normal_parts(name, "/.", "--");
  if (style.simple) name.erase(0, simple_start(name, '.', name.find('/')));
  return name;
}

std::string java_frame(std::string_view class_name, std::string_view method, const JavaNameStyle& style) {
  std::string name = style.normalize ? normal_class(class_name) : std::string(class_name);
  if (style.simple) name.erase(0, simple_start(name, '/', hidden_suffix(name)));
  if (style.dots) {
    auto package_end = name.begin() + static_cast<std::ptrdiff_t>(hidden_suffix(name));
    std::replace(name.begin(), package_end, '/', '.');
  }
  if (!method.empty()) name.append(".").append(method);
  return name;
}

}  // namespace

std::string java_frame_name(std::string_view class_signature, std::string_view method,
                            std::string_view method_signature, const JavaNameStyle& style) {
  std::string class_name = class_name_of(class_signature);
  std::string clojure = style.clojure && !method.empty() ? clojure_name(class_name, method) : "";
  std::string name = clojure.empty() ? java_frame(class_name, method, style) : clojure_frame(std::move(clojure), style);
  if (style.signature) name.append(method_signature);
  return name;
}

}  // namespace hearth::profile
