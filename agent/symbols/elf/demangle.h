// C++ and Rust symbol names as people write them. Pure functions of text; not signal safe.
#pragma once

#include <string>
#include <string_view>

namespace hearth::symbols {

struct Demangled {
  std::string name;         // without parameters: G1ParScanThreadState::steal_and_trim_queue
  bool is_mangled = false;  // the symbol was a C++ or Rust one
};

// Also takes off what compilers add to copies of a function: foo.constprop.0, foo.isra.0, foo.cold -> foo. A name that
// cannot be demangled stays as it is.
Demangled demangle(std::string_view symbol);

}  // namespace hearth::symbols
