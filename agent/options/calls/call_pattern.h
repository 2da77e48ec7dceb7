// Names of methods as users type them: "com.acme.Shop.buy", "com.acme.*.<init>", "Shop.buy(I)V", with * for any text;
// Clojure's as "acme.shop/buy!". Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hearth::options {

class CallPattern {
 public:
  // Throws Error if the text names no method.
  explicit CallPattern(const std::string& text);

  // `name`: "com/acme/Shop".
  bool matches_class(std::string_view name) const;
  // Of a class that matches. A function of Clojure has its code in invokeStatic if its class has that method
  // (`has_invoke_static`), and calls it from the others.
  bool matches_method(std::string_view name, std::string_view descriptor, bool has_invoke_static) const;

 private:
  bool is_clojure_ = false;
  std::string class_, method_, descriptor_;
};

// Calls that a user wants.
struct CallChoice {
  std::string text;  // the pattern, as typed
  CallPattern pattern;
  std::optional<int64_t> shortest_ns;  // of a sampled call; none: the interval of the event
};
// Whether the text is a pattern, and neither the name of an event nor another option, as "file=/x".
bool names_method(std::string_view text);

}  // namespace hearth::options
