#include "symbols/jvm/vm_tables.h"

#include <dlfcn.h>

#include <cstring>
#include <utility>

#include "symbols/jvm/vm_memory.h"

namespace hearth::symbols {
namespace {

uint64_t exported(void* libjvm, const char* name) {
  void* symbol = dlsym(libjvm, name);
  return symbol == nullptr ? 0 : read<uint64_t>(reinterpret_cast<uintptr_t>(symbol));
}

std::string text(uintptr_t entry, uint64_t offset) {
  const char* characters = read<const char*>(entry + offset);
  return characters == nullptr ? "" : characters;
}

}  // namespace

VmTables::VmTables(void* libjvm) {
  if (libjvm == nullptr) return;
  uintptr_t entry = exported(libjvm, "gHotSpotVMStructs");
  uint64_t stride = exported(libjvm, "gHotSpotVMStructEntryArrayStride");
  uint64_t type_name = exported(libjvm, "gHotSpotVMStructEntryTypeNameOffset");
  uint64_t field_name = exported(libjvm, "gHotSpotVMStructEntryFieldNameOffset");
  uint64_t type_string = exported(libjvm, "gHotSpotVMStructEntryTypeStringOffset");
  uint64_t is_static = exported(libjvm, "gHotSpotVMStructEntryIsStaticOffset");
  uint64_t offset = exported(libjvm, "gHotSpotVMStructEntryOffsetOffset");
  uint64_t address = exported(libjvm, "gHotSpotVMStructEntryAddressOffset");
  if (entry == 0 || stride == 0) return;
  for (; read<const char*>(entry + type_name) != nullptr; entry += stride) {
    Field field = {text(entry, type_string), read<int32_t>(entry + is_static) != 0, read<uint64_t>(entry + offset),
                   read<uintptr_t>(entry + address)};
    fields_.emplace(text(entry, type_name) + "::" + text(entry, field_name), field);
  }
  entry = exported(libjvm, "gHotSpotVMTypes");
  stride = exported(libjvm, "gHotSpotVMTypeEntryArrayStride");
  type_name = exported(libjvm, "gHotSpotVMTypeEntryTypeNameOffset");
  uint64_t size = exported(libjvm, "gHotSpotVMTypeEntrySizeOffset");
  if (entry == 0 || stride == 0) return;
  for (; read<const char*>(entry + type_name) != nullptr; entry += stride)
    sizes_.emplace(text(entry, type_name), read<uint64_t>(entry + size));
  entry = exported(libjvm, "gHotSpotVMIntConstants");
  stride = exported(libjvm, "gHotSpotVMIntConstantEntryArrayStride");
  uint64_t name = exported(libjvm, "gHotSpotVMIntConstantEntryNameOffset");
  uint64_t value = exported(libjvm, "gHotSpotVMIntConstantEntryValueOffset");
  if (entry == 0 || stride == 0) return;
  for (; read<const char*>(entry + name) != nullptr; entry += stride)
    constants_.emplace(text(entry, name), read<int32_t>(entry + value));
}

const VmTables::Field* VmTables::field(const char* type, const char* name) const {
  auto found = fields_.find(std::string(type) + "::" + name);
  return found == fields_.end() ? nullptr : &found->second;
}

int VmTables::offset(const char* type, const char* name) const {
  const Field* found = field(type, name);
  return found == nullptr || found->is_static ? -1 : static_cast<int>(found->offset);
}

uintptr_t VmTables::static_value(const char* type, const char* name) const {
  const Field* found = field(type, name);
  return found == nullptr || !found->is_static ? 0 : read<uintptr_t>(found->address);
}

int VmTables::either_offset(const char* type, const char* other_type, const char* name) const {
  int found = offset(type, name);
  return found >= 0 ? found : offset(other_type, name);
}

int VmTables::size_of(const char* type) const {
  auto found = sizes_.find(type);
  return found == sizes_.end() ? -1 : static_cast<int>(found->second);
}

std::optional<int> VmTables::constant(const char* name) const {
  auto found = constants_.find(name);
  if (found == constants_.end()) return std::nullopt;
  return found->second;
}

// JDK 8 has HotSpot's own version number; only its code cache is one heap.
int VmTables::jdk() const {
  if (field("CodeCache", "_heap") != nullptr) return 8;
  return static_cast<int>(static_value("Abstract_VM_Version", "_vm_major_version") & 0xffff);
}

// Returns the JVMFlag (Flag in JDK 8), an entry of an array of {name, address of the value, origin}. Origin 0 is
// DEFAULT, in the low bits (share/runtime/flags/jvmFlag.hpp).
uintptr_t VmTables::flag(const char* name) const {
  const char* type = field("JVMFlag", "flags") != nullptr ? "JVMFlag" : "Flag";
  uintptr_t at = static_value(type, "flags");
  uintptr_t count = static_value(type, "numFlags");
  int name_at = offset(type, "_name");
  int size = size_of(type);
  if (at == 0 || name_at < 0 || size < 0) return 0;
  for (uintptr_t i = 0; i < count; i++, at += static_cast<uintptr_t>(size)) {
    auto flag_name = read<const char*>(at + static_cast<uintptr_t>(name_at));
    if (flag_name != nullptr && std::strcmp(flag_name, name) == 0) return at;
  }
  return 0;
}

bool VmTables::boolean_flag(const char* name) const {
  uintptr_t found = flag(name);
  int address_at = either_offset("JVMFlag", "Flag", "_addr");
  return found != 0 && address_at >= 0 && *read<bool*>(found + static_cast<uintptr_t>(address_at));
}

// JDK 8 and 11, 17 and 21, 25 and 27.
std::optional<VmTables::Compression> VmTables::compression(const char* type, const std::string& old_prefix) const {
  const std::pair<const char*, std::string> places[] = {{"Universe", old_prefix}, {type, old_prefix}, {type, ""}};
  for (const auto& [holder, prefix] : places) {
    const Field* shift = field(holder, (prefix + "_shift").c_str());
    if (shift == nullptr) continue;
    return Compression{static_value(holder, (prefix + "_base").c_str()), read<uint32_t>(shift->address)};
  }
  return std::nullopt;
}

}  // namespace hearth::symbols
