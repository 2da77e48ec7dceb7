// The objects that the dynamic linker has loaded, and copies of the required parts of their memory. Copies are made
// while the linker's lock keeps the object from being unloaded. Outside signals only; any thread.
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
  uintptr_t base = 0;    // origin of its addresses
  std::string path;      // "/proc/self/exe" for the main program
  std::string library;   // file name, "[vdso]" for the kernel's object
  std::string build_id;  // raw bytes, empty if there is none
  bool is_vdso = false;
  std::vector<CodeRange> code;  // sorted
  std::vector<uint8_t> tables;  // .eh_frame_hdr and .eh_frame; empty if there are none or the object was known
  uint64_t tables_address = 0;  // of tables[0], from base
  uint64_t header_address = 0;  // of .eh_frame_hdr, from base

  EhFrameBytes eh_frame() const { return {tables.data(), tables.size(), tables_address, header_address, base}; }
  bool same_as(const LoadedObject& other) const {
    return base == other.base && path == other.path && build_id == other.build_id;
  }
};

// Numbers of loads and unloads; equal counts mean that nothing changed.
struct LoadCounts {
  unsigned long long added = 0;
  unsigned long long removed = 0;
  bool operator==(const LoadCounts& other) const { return added == other.added && removed == other.removed; }
};
LoadCounts load_counts();

// Returns all objects with code, in the linker's order. Copies unwind tables only of objects for which `needs_tables`
// returns true.
std::vector<LoadedObject> loaded_objects(const std::function<bool(const LoadedObject&)>& needs_tables);

// Returns the code of the object that contains this address, from its first executable segment to the end of its last,
// as absolute addresses; empty if there is none.
capture::CodeRange code_around(uintptr_t address);

// Returns .dynsym of an object in memory; empty if the object is unloaded.
DynamicSymbols copy_dynamic_symbols(const LoadedObject& object);

// True if the file mapped at `address` was deleted or replaced since (a package upgrade).
bool mapped_file_is_gone(uintptr_t address);

}  // namespace hearth::symbols
