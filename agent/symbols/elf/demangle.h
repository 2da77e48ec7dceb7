// Source names of C++ and Rust symbols. Pure functions of text; not signal safe.
#pragma once

#include <string>
#include <string_view>

namespace hearth::symbols {

struct Demangled {
  std::string name;         // without parameters: G1ParScanThreadState::steal_and_trim_queue
  bool is_mangled = false;  // the symbol was a C++ or Rust one
};

// Also removes suffixes of compilers for copies of a function: foo.constprop.0, foo.isra.0, foo.cold -> foo. Returns a
// name unchanged if it cannot be demangled.
Demangled demangle(std::string_view symbol);

}  // namespace hearth::symbols
