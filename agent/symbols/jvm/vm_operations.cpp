#include "symbols/jvm/vm_operations.h"

#include <dlfcn.h>

#include <string_view>

#include "base/text_parts.h"
#include "symbols/elf/debug_file.h"
#include "symbols/elf/elf_image.h"

namespace hearth::symbols {
namespace {

constexpr std::string_view kVariable = "_ZN8VMThread17_cur_vm_operationE";

// From the load address; 0: not there.
uint64_t find_variable(const ElfImage& image) {
  const Elf64_Shdr* table = image.section_of_type(SHT_SYMTAB);
  if (table == nullptr) return 0;
  std::string_view strings = image.content(image.section(table->sh_link));
  for (const Elf64_Sym& symbol : image.array<Elf64_Sym>(table)) {
    bool is_variable = ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx != SHN_UNDEF;
    if (!is_variable || symbol.st_name >= strings.size()) continue;
    std::string_view name = strings.substr(symbol.st_name);
    if (name.substr(0, name.find('\0')) == kVariable) return symbol.st_value;
  }
  return 0;
}

bool are_in_one_library(uintptr_t left, uintptr_t right) {
  Dl_info first{}, second{};
  return dladdr(reinterpret_cast<void*>(left), &first) != 0 && dladdr(reinterpret_cast<void*>(right), &second) != 0 &&
         first.dli_fbase == second.dli_fbase;
}

}  // namespace

uintptr_t current_operation_variable(uintptr_t in_libjvm) {
  Dl_info library{};
  if (dladdr(reinterpret_cast<void*>(in_libjvm), &library) == 0) return 0;
  ElfImage file(library.dli_fname);
  if (!file) return 0;
  uint64_t offset = find_variable(file);
  constexpr const char* kDebugRoot = "/usr/lib/debug";
  if (offset == 0) offset = find_variable(find_debug_file(file, library.dli_fname, kDebugRoot));
  uintptr_t address = reinterpret_cast<uintptr_t>(library.dli_fbase) + offset;
  return offset != 0 && are_in_one_library(address, in_libjvm) ? address : 0;
}

// Each operation has its own type().
std::string operation_name(NativeModules* modules, uintptr_t vtable, uintptr_t in_libjvm) {
  constexpr std::string_view kPrefix = "VM_", kFunction = "::type";
  constexpr size_t kMostFunctions = 8;
  if (vtable == 0 || vtable % sizeof(uintptr_t) != 0 || !are_in_one_library(vtable, in_libjvm)) return "";
  for (size_t i = 0; i < kMostFunctions; i++) {
    uintptr_t function = reinterpret_cast<const uintptr_t*>(vtable)[i];
    if (!are_in_one_library(function, in_libjvm)) return "";
    std::string name = modules->resolve(function).name;
    if (starts_with(name, kPrefix) && ends_with(name, kFunction))
      return name.substr(kPrefix.size(), name.size() - kPrefix.size() - kFunction.size());
  }
  return "";
}

}  // namespace hearth::symbols
