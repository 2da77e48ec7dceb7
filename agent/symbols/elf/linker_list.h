// The dynamic linker's list of loaded objects. Outside signals only; any thread.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstdint>

namespace hearth::symbols {

// Calls visit(info) for each object until it returns false. The linker's lock keeps the objects from being unloaded
// meanwhile; one of them may be mapped and not relocated yet.
template <typename Visit>
void each_loaded(Visit visit) {
  auto callback = [](dl_phdr_info* info, size_t, void* data) { return (*static_cast<Visit*>(data))(*info) ? 0 : 1; };
  ::dl_iterate_phdr(callback, &visit);
}

template <typename Visit>
void each_segment(const dl_phdr_info& info, uint32_t type, Visit visit) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type == type) visit(info.dlpi_phdr[i]);
  }
}

// True if one of the object's loaded segments with all these flags contains the `size` bytes.
inline bool has_loaded(const dl_phdr_info& info, uintptr_t address, size_t size, uint32_t flags) {
  bool found = false;
  each_segment(info, PT_LOAD, [&](const ElfW(Phdr) & segment) {
    uintptr_t offset = address - info.dlpi_addr - segment.p_vaddr;
    bool has_flags = (segment.p_flags & flags) == flags;
    found = found || (has_flags && offset < segment.p_memsz && size <= segment.p_memsz - offset);
  });
  return found;
}

}  // namespace hearth::symbols
