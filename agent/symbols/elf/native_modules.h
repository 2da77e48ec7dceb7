// The shared objects of this process: their unwind rules for capture, their symbols for naming. Outside signals only;
// one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "capture/unwind/native/native_rules.h"

namespace hearth::symbols {

struct NativeSymbol {
  std::string name;     // demangled, without parameters; empty when the module has no symbol there
  std::string library;  // file name of the module, "libjvm.so"; "[vdso]"; empty when the pc is in no module ever seen
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

  // Looks at what is loaded now (dl_iterate_phdr, vdso included). New modules get their unwind rules at once, from the
  // .eh_frame_hdr and .eh_frame that are mapped in memory, and from files for code that those do not know; symbols are
  // read from files only when resolve() needs them.
  // Modules that were unloaded leave the map but can still be resolved. Returns true when the map changed. Cheap when
  // nothing did.
  bool refresh();

  // The current map. It and every map before it stay valid until this object is destroyed.
  const capture::NativeMap* map() const;

  // Where the functions begin that resolve() gives this name, in what is loaded now; also takes a mangled name.
  std::vector<NativeFunction> find(const std::string& name);
  // The name of a function that a mistyped one most likely meant, or "". Slow: it looks at every symbol.
  std::string nearest_name(const std::string& name);

  // Name of the code at `pc`. For return addresses pass pc - 1. Never throws; a broken file means no names.
  NativeSymbol resolve(uintptr_t pc);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hearth::symbols
