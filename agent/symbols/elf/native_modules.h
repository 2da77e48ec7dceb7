// Shared objects of this process: their unwind rules for capture, their symbols for naming. Outside signals only; one
// thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "capture/unwind/native/native_rules.h"

namespace hearth::symbols {

struct NativeSymbol {
  std::string name;     // demangled, without parameters; empty if the module has no symbol there
  std::string library;  // file name of the module, "libjvm.so"; "[vdso]"; empty if no module ever contained the pc
  bool cpp = false;     // the name was a mangled C++ (or Rust) one
};

struct NativeFunction {
  uintptr_t address = 0;
  std::string library;  // as in NativeSymbol
};

class NativeModules {
 public:
  NativeModules();
  ~NativeModules();

  // Reads the list of loaded modules (dl_iterate_phdr, vdso included). New modules get their unwind rules immediately,
  // from the .eh_frame_hdr and .eh_frame in memory, and from files for code that those do not cover. Symbols are read
  // from files only when resolve() needs them. Unloaded modules leave the map but can still be resolved. Returns true
  // if the map changed; fast if it did not.
  bool refresh();

  // Returns the current map. All maps stay valid until this object is destroyed.
  const capture::NativeMap* map() const;

  // Returns the loaded functions with this name of resolve(), or this mangled name.
  std::vector<NativeFunction> find(const std::string& name);
  // Suggests the function name that a mistyped one probably means, or "". Slow: it searches all symbols.
  std::string nearest_name(const std::string& name);

  // Returns the name of the code at `pc`. For return addresses pass pc - 1. Does not throw; a damaged file has no
  // names.
  NativeSymbol resolve(uintptr_t pc);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hearth::symbols
