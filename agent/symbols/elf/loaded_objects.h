// The objects that the dynamic linker has in this process, and copies of what is needed from their memory. Everything
// is copied while the linker's lock keeps the object from being unloaded. Outside signals only; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "capture/unwind/stack_walk.h"
#include "symbols/elf/elf_symbols.h"
#include "symbols/elf/unwind_rules_eh_frame.h"

namespace hearth::symbols {

struct LoadedObject {
  uintptr_t base = 0;    // what its addresses count from
  std::string path;      // "/proc/self/exe" for the main program
  std::string library;   // file name, "[vdso]" for the kernel's object
  std::string build_id;  // raw bytes, empty when it has none
  bool is_vdso = false;
  std::vector<CodeRange> code;  // sorted
  std::vector<uint8_t> tables;  // .eh_frame_hdr and .eh_frame; empty when there are none or the object was known
  uint64_t tables_address = 0;  // of tables[0], from base
  uint64_t header_address = 0;  // of .eh_frame_hdr, from base

  EhFrameBytes eh_frame() const { return {tables.data(), tables.size(), tables_address, header_address, base}; }
  bool same_as(const LoadedObject& other) const {
    return base == other.base && path == other.path && build_id == other.build_id;
  }
};

// How often objects came and went; equal counts mean that nothing changed.
struct LoadCounts {
  unsigned long long added = 0;
  unsigned long long removed = 0;
  bool operator==(const LoadCounts& other) const { return added == other.added && removed == other.removed; }
};
LoadCounts load_counts();

// Everything that has code, in the linker's order. Unwind tables are copied only for objects that `needs_tables` says
// yes to.
std::vector<LoadedObject> loaded_objects(const std::function<bool(const LoadedObject&)>& needs_tables);

// The code of the object that holds this address, from its first executable segment to the end of its last, as absolute
// addresses; empty where no object holds it.
capture::CodeRange code_around(uintptr_t address);

// .dynsym of an object as it is in memory; empty when it is no longer there.
DynamicSymbols copy_dynamic_symbols(const LoadedObject& object);

// Whether the file that is mapped at `address` was deleted or replaced since (a package upgrade).
bool mapped_file_is_gone(uintptr_t address);

}  // namespace hearth::symbols
