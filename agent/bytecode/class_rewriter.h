// Inserts calls of static methods, hooks, into the methods of a class file. A pure function of its input, which may be
// hostile. Any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bytecode/class_bytes.h"

namespace hearth::bytecode {

// The class with the hooks, which every loader of the rewritten classes must find.
struct HookClass {
  std::string name;    // "java/lang/Hooks"
  std::string enter;   // "(I)V": gets the number
  std::string begin;   // "()J": returns a time
  std::string leave;   // "(JI)V": gets that time and the number
  std::string made{};  // "(Ljava/lang/Object;)V": gets the object
};

// Hooks of one method, with the numbers that they get.
struct MethodHooks {
  std::optional<uint16_t> enter;  // at the beginning; in a constructor behind the call of another constructor
  std::optional<uint16_t> time;   // there as well, and at each return and each exception that leaves the method
  bool made = false;              // at each return of a constructor
  bool any() const { return enter || time || made; }
};
inline constexpr uint16_t kMostNumber = INT16_MAX;

struct MethodId {
  std::string_view class_name;  // "java/lang/String"
  std::string_view name, descriptor;
  bool has_code = true;
};
using HookChoice = std::function<MethodHooks(const MethodId& method)>;

struct RewrittenClass {
  Bytes bytes;  // empty: no method got hooks
  size_t hooked = 0;
  std::vector<std::string> refused;  // "name(descriptor): reason", of wanted methods without hooks
};

// Methods without code are passed over. Throws ClassFileError for a malformed class, and nothing else.
RewrittenClass rewrite_class(ByteReader class_file, const HookClass& hooks, const HookChoice& choose);

}  // namespace hearth::bytecode
