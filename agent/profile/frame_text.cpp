#include "profile/frame_text.h"

#include <algorithm>

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

// Main.main, java.lang.String.indexOf, Foo.<init>: the part before the last dot is capital. libA.so and fun.part.0 are
// not.
bool is_dotted_method(std::string_view name) {
  size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == name.size()) return false;
  size_t before = name.rfind('.', dot - 1);
  return is_upper(name[before == std::string_view::npos ? 0 : before + 1]) && !contains(name, " ");
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
  if (contains(name, "::")) return FrameKind::kCpp;
  if (name.find('/', 1) != std::string_view::npos && name.front() != '/') return FrameKind::kJit;
  return is_dotted_method(name) ? FrameKind::kJit : FrameKind::kNative;
}

}  // namespace hearth::profile
