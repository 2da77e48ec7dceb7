#include "symbols/elf/loaded_objects.h"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <memory>

#include "base/files.h"
#include "base/text_parts.h"
#include "symbols/elf/linker_list.h"
#include "symbols/jvm/vm_memory.h"

namespace hearth::symbols {
namespace {

constexpr char kMainProgram[] = "/proc/self/exe";
constexpr size_t kHeaderSize = 32;       // enough of .eh_frame_hdr for the address of .eh_frame
constexpr size_t kMaxSymbols = 1 << 20;  // of a .dynsym in memory; more means a damaged hash table
constexpr size_t kMaxStrings = 256 << 20;

template <typename T>
T read_own(uintptr_t from) {
  T value{};
  read_own_memory(&value, from, sizeof value);
  return value;
}

bool is_vdso(const dl_phdr_info& info) {
  uintptr_t vdso = ::getauxval(AT_SYSINFO_EHDR);
  bool found = false;
  each_segment(info, PT_LOAD, [&](const ElfW(Phdr) & segment) {
    uintptr_t start = info.dlpi_addr + segment.p_vaddr;
    found = found || (vdso >= start && vdso < start + segment.p_memsz);
  });
  return vdso != 0 && found;
}

// Returns the object's path, absolute even if it was opened by a relative one.
std::string path_of(const dl_phdr_info& info) {
  const char* name = info.dlpi_name;
  if (name == nullptr || *name == 0) return kMainProgram;
  if (*name == '/') return name;
  std::unique_ptr<char, decltype(&std::free)> real(::realpath(name, nullptr), &std::free);
  return real ? real.get() : name;
}

std::string file_name_of(const std::string& path) {
  std::string whole = path;
  if (path == kMainProgram) {
    char target[PATH_MAX];
    ssize_t size = ::readlink(kMainProgram, target, sizeof target);
    whole.assign(target, size > 0 ? static_cast<size_t>(size) : 0);
    whole = whole.substr(0, whole.rfind(" (deleted)"));
  }
  return whole.substr(whole.rfind('/') + 1);
}

std::string build_id_of(const dl_phdr_info& info) {
  std::string build_id;
  each_segment(info, PT_NOTE, [&](const ElfW(Phdr) & segment) {
    if (!build_id.empty() || segment.p_memsz > (1 << 16)) return;
    std::string notes(segment.p_memsz, '\0');
    notes.resize(read_own_memory(notes.data(), info.dlpi_addr + segment.p_vaddr, notes.size()));
    build_id = build_id_of_notes(notes);
  });
  return build_id;
}

LoadedObject describe(const dl_phdr_info& info) {
  LoadedObject object;
  object.base = info.dlpi_addr;
  object.is_vdso = is_vdso(info);
  object.path = path_of(info);
  object.library = object.is_vdso ? "[vdso]" : file_name_of(object.path);
  object.build_id = build_id_of(info);
  each_segment(info, PT_LOAD, [&](const ElfW(Phdr) & segment) {
    if ((segment.p_flags & PF_X) != 0) object.code.push_back({segment.p_vaddr, segment.p_vaddr + segment.p_memsz});
  });
  return object;
}

// Copies from .eh_frame_hdr or .eh_frame, whichever is first, to the end of their segment: the size of .eh_frame is
// unknown in memory.
void copy_tables(const dl_phdr_info& info, LoadedObject& object) {
  uint64_t header = 0;
  each_segment(info, PT_GNU_EH_FRAME, [&](const ElfW(Phdr) & segment) { header = segment.p_vaddr; });
  if (header == 0) return;
  each_segment(info, PT_LOAD, [&](const ElfW(Phdr) & segment) {
    uint64_t end = segment.p_vaddr + segment.p_filesz;
    if (header < segment.p_vaddr || header >= end) return;
    uint8_t start[kHeaderSize];
    size_t got = read_own_memory(start, object.base + header, std::min<uint64_t>(sizeof start, end - header));
    uint64_t frames = eh_frame_start({start, got, header, header, object.base});
    uint64_t from = frames >= segment.p_vaddr && frames < header ? frames : header;
    object.tables.resize(end - from);
    object.tables.resize(read_own_memory(object.tables.data(), object.base + from, object.tables.size()));
    object.tables_address = from;
    object.header_address = header;
  });
}

// Counts the symbols of DT_GNU_HASH, which has no count: one more than the last symbol of the longest chain.
size_t count_by_gnu_hash(uintptr_t table) {
  struct {
    uint32_t buckets, first_symbol, bloom_words, bloom_shift;
  } header = read_own<decltype(header)>(table);
  if (header.buckets > kMaxSymbols || header.bloom_words > kMaxSymbols) return 0;
  uintptr_t buckets = table + sizeof header + header.bloom_words * sizeof(uint64_t);
  uint32_t last = 0;
  for (uint32_t i = 0; i < header.buckets; ++i)
    last = std::max(last, read_own<uint32_t>(buckets + i * sizeof(uint32_t)));
  if (last < header.first_symbol) return header.first_symbol;
  uintptr_t chains = buckets + header.buckets * sizeof(uint32_t);
  while (last < kMaxSymbols && (read_own<uint32_t>(chains + (last - header.first_symbol) * sizeof(uint32_t)) & 1) == 0)
    ++last;
  return last + size_t{1};
}

DynamicSymbols read_dynamic_symbols(const dl_phdr_info& info) {
  uintptr_t symbols = 0, strings = 0, hash = 0, gnu_hash = 0;
  size_t strings_size = 0;
  // The linker relocates these pointers in place, except for the vdso, which is read-only.
  auto absolute = [&](uintptr_t value) { return value < info.dlpi_addr ? value + info.dlpi_addr : value; };
  each_segment(info, PT_DYNAMIC, [&](const ElfW(Phdr) & segment) {
    for (size_t at = 0; at + sizeof(ElfW(Dyn)) <= segment.p_memsz; at += sizeof(ElfW(Dyn))) {
      auto entry = read_own<ElfW(Dyn)>(info.dlpi_addr + segment.p_vaddr + at);
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_SYMTAB) symbols = absolute(entry.d_un.d_ptr);
      if (entry.d_tag == DT_STRTAB) strings = absolute(entry.d_un.d_ptr);
      if (entry.d_tag == DT_STRSZ) strings_size = entry.d_un.d_val;
      if (entry.d_tag == DT_HASH) hash = absolute(entry.d_un.d_ptr);
      if (entry.d_tag == DT_GNU_HASH) gnu_hash = absolute(entry.d_un.d_ptr);
    }
  });
  if (symbols == 0 || strings == 0 || strings_size > kMaxStrings) return {};
  size_t count = hash != 0       ? read_own<uint32_t>(hash + sizeof(uint32_t))
                 : gnu_hash != 0 ? count_by_gnu_hash(gnu_hash)
                                 : 0;
  if (count > kMaxSymbols) return {};
  DynamicSymbols result;
  result.symbols.resize(count);
  size_t got = read_own_memory(result.symbols.data(), symbols, count * sizeof(Elf64_Sym));
  result.symbols.resize(got / sizeof(Elf64_Sym));
  result.strings.resize(strings_size);
  result.strings.resize(read_own_memory(result.strings.data(), strings, strings_size));
  return result;
}

}  // namespace

LoadCounts load_counts() {
  LoadCounts counts;
  each_loaded([&](const dl_phdr_info& info) {
    counts = {info.dlpi_adds, info.dlpi_subs};
    return false;
  });
  return counts;
}

std::vector<LoadedObject> loaded_objects(const std::function<bool(const LoadedObject&)>& needs_tables) {
  std::vector<LoadedObject> objects;
  each_loaded([&](const dl_phdr_info& info) {
    LoadedObject object = describe(info);
    if (object.code.empty()) return true;
    if (needs_tables(object)) copy_tables(info, object);
    objects.push_back(std::move(object));
    return true;
  });
  return objects;
}

capture::CodeRange code_around(uintptr_t address) {
  capture::CodeRange around;
  each_loaded([&](const dl_phdr_info& info) {
    uintptr_t begin = UINTPTR_MAX, end = 0;
    each_segment(info, PT_LOAD, [&](const ElfW(Phdr) & segment) {
      if ((segment.p_flags & PF_X) == 0) return;
      begin = std::min(begin, info.dlpi_addr + segment.p_vaddr);
      end = std::max(end, info.dlpi_addr + segment.p_vaddr + segment.p_memsz);
    });
    if (address < begin || address >= end) return true;
    around = {begin, end};
    return false;
  });
  return around;
}

DynamicSymbols copy_dynamic_symbols(const LoadedObject& object) {
  DynamicSymbols result;
  each_loaded([&](const dl_phdr_info& info) {
    if (info.dlpi_addr != object.base || !describe(info).same_as(object)) return true;
    result = read_dynamic_symbols(info);
    return false;
  });
  return result;
}

bool mapped_file_is_gone(uintptr_t address) {
  static constexpr std::string_view kDeleted = " (deleted)";
  std::string maps = read_if_readable("/proc/self/maps");
  for (std::string_view line : parts_of(maps, '\n')) {
    char* dash = nullptr;
    uintptr_t start = std::strtoul(line.data(), &dash, 16);  // the text of all lines ends with a zero
    uintptr_t end = *dash == '-' ? std::strtoul(dash + 1, nullptr, 16) : 0;
    if (address < start || address >= end) continue;
    return line.size() > kDeleted.size() && line.compare(line.size() - kDeleted.size(), kDeleted.size(), kDeleted) == 0;
  }
  return false;
}

}  // namespace hearth::symbols
