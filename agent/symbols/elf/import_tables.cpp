#include "symbols/elf/import_tables.h"

#include <unistd.h>

#include <cstring>

#include "capture/arch/processor.h"
#include "symbols/elf/linker_list.h"

namespace hearth::symbols {
namespace {

constexpr size_t kMostChain = 1 << 16;  // longer ones are damaged

uint32_t gnu_hash_of(std::string_view name) {
  constexpr uint32_t kSeed = 5381, kFactor = 33;
  uint32_t hash = kSeed;
  for (char c : name) hash = hash * kFactor + static_cast<unsigned char>(c);
  return hash;
}

uint32_t hash_of(std::string_view name) {
  uint32_t hash = 0;
  for (char c : name) {
    hash = (hash << 4) + static_cast<unsigned char>(c);
    hash ^= (hash & 0xf0000000) >> 24;
  }
  return hash & 0x0fffffff;
}

}  // namespace

ImportTables::ImportTables(const dl_phdr_info& info) : info_(info) {
  each_segment(info, PT_DYNAMIC, [&](const ElfW(Phdr) & segment) {
    uintptr_t address = info.dlpi_addr + segment.p_vaddr;
    if (has_loaded(info, address, segment.p_memsz, PF_R))
      read_dynamic(reinterpret_cast<const ElfW(Dyn)*>(address), segment.p_memsz / sizeof(ElfW(Dyn)));
  });
  // Names end with a zero, the last one too.
  bool has_strings = strings_size_ > 0 && has_loaded(info, strings_, strings_size_, PF_R) &&
                     *reinterpret_cast<const char*>(strings_ + strings_size_ - 1) == 0;
  if (!has_strings) strings_size_ = 0;
  find_relro();
}

void ImportTables::read_dynamic(const ElfW(Dyn) * entries, size_t count) {
  uintptr_t calls = 0, data = 0;
  size_t calls_size = 0, data_size = 0;
  bool has_addends = true;
  for (size_t i = 0; i < count && entries[i].d_tag != DT_NULL; ++i) {
    uintptr_t value = entries[i].d_un.d_val;
    switch (entries[i].d_tag) {
      case DT_SYMTAB:
        symbols_ = absolute(value);
        break;
      case DT_STRTAB:
        strings_ = absolute(value);
        break;
      case DT_STRSZ:
        strings_size_ = value;
        break;
      case DT_JMPREL:
        calls = absolute(value);
        break;
      case DT_PLTRELSZ:
        calls_size = value;
        break;
      case DT_PLTREL:
        has_addends = value == DT_RELA;
        break;
      case DT_RELA:
        data = absolute(value);
        break;
      case DT_RELASZ:
        data_size = value;
        break;
      case DT_GNU_HASH:
        gnu_hash_ = absolute(value);
        break;
      case DT_HASH:
        hash_ = absolute(value);
        break;
      default:
        break;
    }
  }
  if (has_addends) take(&relocations_[0], calls, calls_size);
  take(&relocations_[1], data, data_size);
}

void ImportTables::take(Relocations* into, uintptr_t address, size_t bytes) const {
  if (bytes == 0 || address % alignof(ElfW(Rela)) != 0 || !has_loaded(info_, address, bytes, PF_R)) return;
  *into = {reinterpret_cast<const ElfW(Rela)*>(address), bytes / sizeof(ElfW(Rela))};
}

// As glibc and musl: whole pages, rounded down at both ends.
void ImportTables::find_relro() {
  auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  each_segment(info_, PT_GNU_RELRO, [&](const ElfW(Phdr) & segment) {
    uintptr_t begin = info_.dlpi_addr + segment.p_vaddr;
    relro_begin_ = begin & ~(page - 1);
    relro_end_ = (begin + segment.p_memsz) & ~(page - 1);
  });
}

const ElfW(Sym) * ImportTables::symbol(size_t index) const {
  uintptr_t address = symbols_ + index * sizeof(ElfW(Sym));
  if (symbols_ == 0 || !has_loaded(info_, address, sizeof(ElfW(Sym)), PF_R)) return nullptr;
  return reinterpret_cast<const ElfW(Sym)*>(address);
}

std::string_view ImportTables::name_of(const ElfW(Sym) & symbol) const {
  return symbol.st_name < strings_size_ ? reinterpret_cast<const char*>(strings_ + symbol.st_name) : "";
}

ImportTables::Slot ImportTables::slot_of(const ElfW(Rela) & relocation) const {
  uint32_t type = ELF64_R_TYPE(relocation.r_info);
  bool is_pointer = type == capture::kJumpSlotRelocation || type == capture::kGlobalDataRelocation ||
                    type == capture::kAbsoluteRelocation;
  uint64_t index = ELF64_R_SYM(relocation.r_info);
  uintptr_t address = info_.dlpi_addr + relocation.r_offset;
  if (!is_pointer || index == 0 || relocation.r_addend != 0 || address % sizeof(uintptr_t) != 0) return {};
  const ElfW(Sym)* named = symbol(index);
  if (named == nullptr || !has_loaded(info_, address, sizeof(uintptr_t), PF_W)) return {};
  return {address, name_of(*named)};
}

void ImportTables::add_definition(size_t index, std::string_view name, std::vector<uintptr_t>* found) const {
  const ElfW(Sym)* one = symbol(index);
  if (one == nullptr || one->st_shndx == SHN_UNDEF || ELF64_ST_TYPE(one->st_info) != STT_FUNC) return;
  uintptr_t address = info_.dlpi_addr + one->st_value;
  if (name_of(*one) == name && has_loaded(info_, address, 1, PF_X)) found->push_back(address);
}

std::vector<uintptr_t> ImportTables::definitions(std::string_view name) const {
  std::vector<uintptr_t> found;
  if (gnu_hash_ != 0)
    find_by_gnu_hash(name, &found);
  else if (hash_ != 0)
    find_by_hash(name, &found);
  return found;
}

void ImportTables::find_by_gnu_hash(std::string_view name, std::vector<uintptr_t>* found) const {
  struct Header {
    uint32_t buckets, first_symbol, bloom_words, bloom_shift;
  };
  if (!has_loaded(info_, gnu_hash_, sizeof(Header), PF_R)) return;
  const auto& header = *reinterpret_cast<const Header*>(gnu_hash_);
  uintptr_t buckets = gnu_hash_ + sizeof header + header.bloom_words * sizeof(uint64_t);
  if (header.buckets == 0 || !has_loaded(info_, buckets, header.buckets * sizeof(uint32_t), PF_R)) return;
  uint32_t hash = gnu_hash_of(name);
  size_t index = reinterpret_cast<const uint32_t*>(buckets)[hash % header.buckets];
  if (index < header.first_symbol) return;
  uintptr_t chains = buckets + header.buckets * sizeof(uint32_t);
  for (size_t left = kMostChain; left > 0; --left, ++index) {
    uintptr_t at = chains + (index - header.first_symbol) * sizeof(uint32_t);
    if (!has_loaded(info_, at, sizeof(uint32_t), PF_R)) return;
    uint32_t chained = *reinterpret_cast<const uint32_t*>(at);
    if ((chained | 1) == (hash | 1)) add_definition(index, name, found);
    if ((chained & 1) != 0) return;
  }
}

void ImportTables::find_by_hash(std::string_view name, std::vector<uintptr_t>* found) const {
  struct Header {
    uint32_t buckets, chains;
  };
  if (!has_loaded(info_, hash_, sizeof(Header), PF_R)) return;
  const auto& header = *reinterpret_cast<const Header*>(hash_);
  const auto* buckets = reinterpret_cast<const uint32_t*>(hash_ + sizeof header);
  size_t words = size_t{header.buckets} + header.chains;
  if (header.buckets == 0 || !has_loaded(info_, hash_ + sizeof header, words * sizeof(uint32_t), PF_R)) return;
  uint32_t index = buckets[hash_of(name) % header.buckets];
  for (size_t left = kMostChain; left > 0 && index != 0 && index < header.chains; --left) {
    add_definition(index, name, found);
    index = buckets[header.buckets + index];
  }
}

}  // namespace hearth::symbols
