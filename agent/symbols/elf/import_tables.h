// The tables of a loaded object by which it refers to functions of others, and in which others find its own. Views of
// the object's memory: valid while the linker's lock is held (linker_list.h).
#pragma once

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hearth::symbols {

class ImportTables {
 public:
  // A pointer to a function, filled by the linker.
  struct Slot {
    uintptr_t address;
    std::string_view name;  // of the function
  };

  explicit ImportTables(const dl_phdr_info& info);

  // Calls visit(slot) for each aligned pointer in writable segments that holds exactly the address of a symbol.
  template <typename Visit>
  void each_slot(const Visit& visit) const {
    for (const Relocations& part : relocations_)
      for (size_t i = 0; i < part.count; ++i)
        if (Slot slot = slot_of(part.first[i]); slot.address != 0) visit(slot);
  }

  // The addresses of the functions that the object defines under this name, one for each version; empty: it defines
  // none.
  std::vector<uintptr_t> definitions(std::string_view name) const;

  // Whether the address is in the pages that the linker makes read-only once it has relocated the object.
  bool is_guarded(uintptr_t address) const { return address >= relro_begin_ && address < relro_end_; }

 private:
  struct Relocations {
    const ElfW(Rela) * first = nullptr;
    size_t count = 0;
  };

  void read_dynamic(const ElfW(Dyn) * entries, size_t count);
  void find_relro();
  void take(Relocations* into, uintptr_t address, size_t bytes) const;
  uintptr_t absolute(uintptr_t value) const { return value < info_.dlpi_addr ? value + info_.dlpi_addr : value; }
  Slot slot_of(const ElfW(Rela) & relocation) const;
  const ElfW(Sym) * symbol(size_t index) const;
  std::string_view name_of(const ElfW(Sym) & symbol) const;
  void add_definition(size_t index, std::string_view name, std::vector<uintptr_t>* found) const;
  void find_by_gnu_hash(std::string_view name, std::vector<uintptr_t>* found) const;
  void find_by_hash(std::string_view name, std::vector<uintptr_t>* found) const;

  const dl_phdr_info& info_;
  Relocations relocations_[2];  // of calls, and of data
  uintptr_t symbols_ = 0, strings_ = 0, gnu_hash_ = 0, hash_ = 0;
  size_t strings_size_ = 0;
  uintptr_t relro_begin_ = 0, relro_end_ = 0;
};

}  // namespace hearth::symbols
