#include "profile/formats/frame_text.h"

#include <algorithm>
#include <vector>

namespace hearth::profile {
namespace {

constexpr size_t kSuffixLength = 4;  // "_[k]"

std::string_view suffix_of(FrameKind kind, bool annotate) {
  if (kind == FrameKind::kKernel) return "_[k]";
  if (!annotate) return "";
  switch (kind) {
    case FrameKind::kInterpreted:
      return "_[0]";
    case FrameKind::kC1:
      return "_[1]";
    case FrameKind::kJit:
      return "_[j]";
    case FrameKind::kInlined:
      return "_[i]";
    default:
      return "";
  }
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

// Allocated classes wear _[i] and _[k] too (in and out of a TLAB): java.lang.String_[i], byte[]_[k]. A class is an
// array or a dotted name whose last part is capital; methods, with a signature or without, and kernel functions are
// neither.
bool is_class_name(std::string_view name) {
  if (contains(name, "(")) return false;
  if (name.size() > 2 && name.substr(name.size() - 2) == "[]") return true;
  size_t dot = name.rfind('.');
  return dot != std::string_view::npos && dot + 1 < name.size() && is_upper(name[dot + 1]) && !contains(name, "/");
}

bool is_letter(char c) {
  return is_upper(c) || (c >= 'a' && c <= 'z') || c == '_' || c == '$' || c == '<' ||
         static_cast<unsigned char>(c) > 127;
}

std::vector<std::string_view> dotted_parts(std::string_view name) {
  std::vector<std::string_view> parts;
  for (;;) {
    size_t dot = name.find('.');
    parts.push_back(name.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    name.remove_prefix(dot + 1);
  }
}

// 0x00007fc68c013000, behind the name of a hidden class.
bool is_address(std::string_view part) {
  return part.size() > 2 && part.substr(0, 2) == "0x" &&
         part.find_first_not_of("0123456789abcdef", 2) == std::string_view::npos;
}

// What compilers and linkers append to names of native functions and libraries.
bool is_native_suffix(std::string_view part) {
  constexpr std::string_view kSuffixes[] = {"so", "part", "isra", "constprop", "cold", "llvm", "lto_priv", "clone"};
  return std::find(std::begin(kSuffixes), std::end(kSuffixes), part) != std::end(kSuffixes);
}

// Main.main, java.lang.String.indexOf, Foo.<init>, clojure.main.main, Shop$$Lambda$19.0x00007fc6.run: the class is
// capital, in a package, or has a $. libA.so and fun.part.0 are none.
bool is_dotted_method(std::string_view name) {
  name = name.substr(0, name.find('('));
  if (contains(name, " ")) return false;
  std::vector<std::string_view> parts = dotted_parts(name);
  if (parts.size() > 2 && is_address(parts[parts.size() - 2])) parts.erase(parts.end() - 2);
  bool are_names = std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
    return !part.empty() && is_letter(part.front()) && !is_native_suffix(part);
  });
  if (parts.size() < 2 || !are_names) return false;
  std::string_view type = parts[parts.size() - 2];
  return parts.size() > 2 || is_upper(type.front()) || contains(type, "$");
}

// Code that the JVM made, by the names that it gives to it.
bool is_stub(std::string_view name) {
  constexpr std::string_view kStubs[] = {"I2C/C2I adapters", "Interpreter", "vtable stub", "itable stub"};
  return std::find(std::begin(kStubs), std::end(kStubs), name) != std::end(kStubs) ||
         name.substr(0, std::string_view("StubRoutines").size()) == "StubRoutines";
}

}  // namespace

bool is_java(FrameKind kind) {
  return kind <= FrameKind::kInlined;
}

std::string frame_text(std::string_view name, FrameKind kind, bool annotate) {
  std::string text(name.empty() ? "[unknown]" : name);
  std::replace(text.begin(), text.end(), ';', '|');
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\r', ' ');
  return text.append(suffix_of(kind, annotate));
}

NamedFrame frame_of_text(std::string_view text) {
  if (text.empty()) return {"[unknown]", FrameKind::kMarker};
  if (text.size() > kSuffixLength && text.substr(text.size() - kSuffixLength, 2) == "_[" && text.back() == ']') {
    std::string_view name = text.substr(0, text.size() - kSuffixLength);
    switch (text[text.size() - 2]) {
      case 'k':
        if (is_class_name(name)) return {text, FrameKind::kClass};
        return {name, FrameKind::kKernel};
      case 'i':
        if (is_class_name(name)) return {text, FrameKind::kClass};
        return {name, FrameKind::kInlined};
      case 'j':
        return {name, FrameKind::kJit};
      case '0':
        return {name, FrameKind::kInterpreted};
      case '1':
        return {name, FrameKind::kC1};
      default:
        break;
    }
  }
  return {text, kind_of_name(text)};
}

FrameKind kind_of_name(std::string_view name) {
  if (name.size() > 1 && name.front() == '[' && name.back() == ']') {
    if (contains(name, " tid=")) return FrameKind::kThread;
    return contains(name, ".so") || name == "[vdso]" ? FrameKind::kNative : FrameKind::kMarker;
  }
  if (is_stub(name)) return FrameKind::kStub;
  if (contains(name, "::")) return FrameKind::kCpp;
  if (name.find('/', 1) != std::string_view::npos && name.front() != '/') return FrameKind::kJit;
  return is_dotted_method(name) ? FrameKind::kJit : FrameKind::kNative;
}

}  // namespace hearth::profile
