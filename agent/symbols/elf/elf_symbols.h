// Names of one object's code: from .symtab of the file, else of its separate debug file, else from .dynsym; PLT entries
// have the name of their target. Any thread, one at a time; not signal safe.
#pragma once

#include <elf.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "symbols/elf/elf_image.h"

namespace hearth::symbols {

// Executable bytes, [start, end) from the load address.
struct CodeRange {
  uint64_t start;
  uint64_t end;
};

// The mapped object, which the file must match.
struct SymbolSource {
  std::string path;
  std::string build_id;  // raw bytes; empty: the object has none, and any file is accepted
  std::vector<CodeRange> code;
  std::string debug_root = "/usr/lib/debug";
};

// An object's .dynsym, copied from memory in case its file is gone or was replaced.
struct DynamicSymbols {
  std::vector<Elf64_Sym> symbols;
  std::string strings;
};

class ElfSymbols {
 public:
  struct Found {
    std::string_view name;  // as in the file: mangled; empty when unknown. Lives as long as the ElfSymbols
    bool is_plt = false;    // the code is the linker's trampoline to `name`
  };

  ElfSymbols() = default;
  // Empty if the file is not the mapped one. Does not throw for a damaged file, which has fewer symbols.
  explicit ElfSymbols(const SymbolSource& source);
  ElfSymbols(DynamicSymbols symbols, const std::vector<CodeRange>& code);

  Found find(uint64_t address) const;
  // Calls visit(name as in the file, start) for each symbol.
  void each(const std::function<void(std::string_view, uint64_t)>& visit) const;
  size_t size() const { return symbols_.size(); }

  // Names of functions that select their code when they are bound (IFUNC). The symbol table has the selector only.
  const std::vector<const char*>& choosers() const { return choosers_; }
  // Names code without a symbol at its start. `name` is one of choosers().
  void add(CodeRange code, const char* name);

 private:
  struct Symbol {
    uint32_t start;
    uint32_t end;
    const char* name;
  };
  class Collector;

  bool collect(const ElfImage& image, uint32_t table_type, const std::vector<CodeRange>& code);
  std::unordered_map<uint64_t, const char*> function_slots() const;
  void name_plt();
  static bool starts_earlier(const Symbol& left, const Symbol& right);
  static const Symbol* covering(const std::vector<Symbol>& symbols, uint64_t address);

  ElfImage file_;
  ElfImage debug_file_;
  DynamicSymbols memory_;
  std::vector<Symbol> symbols_;  // sorted by start, one for each start; names point into the three members above
  std::vector<Symbol> plt_;
  std::vector<const char*> choosers_;
};

}  // namespace hearth::symbols
