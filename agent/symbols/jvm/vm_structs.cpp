#include "symbols/jvm/vm_structs.h"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <climits>
#include <cstring>

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

VmStructs::VmStructs(void* libjvm) {
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

const VmStructs::Field* VmStructs::field(const char* type, const char* name) const {
  auto found = fields_.find(std::string(type) + "::" + name);
  return found == fields_.end() ? nullptr : &found->second;
}

const VmStructs::Field* VmStructs::either(const char* type, const char* other_type, const char* name) const {
  const Field* found = field(type, name);
  return found != nullptr ? found : field(other_type, name);
}

int VmStructs::offset(const char* type, const char* name) const {
  const Field* found = field(type, name);
  return found == nullptr || found->is_static ? -1 : static_cast<int>(found->offset);
}

uintptr_t VmStructs::static_value(const char* type, const char* name) const {
  const Field* found = field(type, name);
  return found == nullptr || !found->is_static ? 0 : read<uintptr_t>(found->address);
}

int VmStructs::either_offset(const char* type, const char* other_type, const char* name) const {
  int found = offset(type, name);
  return found >= 0 ? found : offset(other_type, name);
}

// `base` or `offset_name` may be null: the table has none. Returns {-1, -1} if a field is missing.
capture::NmethodTable VmStructs::nmethod_table(const char* type, const char* base, const char* offset_name) const {
  capture::NmethodTable result;
  if (base != nullptr && (result.base = offset(type, base)) < 0) return {};
  if (offset_name != nullptr && (result.offset = offset(type, offset_name)) < 0) return {};
  return result;
}

// JDK 8 has HotSpot's own version number; only its code cache is one heap.
int VmStructs::jdk() const {
  if (field("CodeCache", "_heap") != nullptr) return 8;
  return static_cast<int>(static_value("Abstract_VM_Version", "_vm_major_version") & 0xffff);
}

// Returns the JVMFlag (Flag in JDK 8), an entry of an array of {name, address of the value, origin}. Origin 0 is
// DEFAULT, in the low bits (share/runtime/flags/jvmFlag.hpp).
uintptr_t VmStructs::flag(const char* name) const {
  const char* type = field("JVMFlag", "flags") != nullptr ? "JVMFlag" : "Flag";
  uintptr_t at = static_value(type, "flags");
  uintptr_t count = static_value(type, "numFlags");
  int name_at = offset(type, "_name");
  auto size = sizes_.find(type);
  if (at == 0 || name_at < 0 || size == sizes_.end()) return 0;
  for (uintptr_t i = 0; i < count; i++, at += size->second) {
    auto flag_name = read<const char*>(at + static_cast<uintptr_t>(name_at));
    if (flag_name != nullptr && std::strcmp(flag_name, name) == 0) return at;
  }
  return 0;
}

bool VmStructs::boolean_flag(const char* name) const {
  uintptr_t found = flag(name);
  int address_at = either_offset("JVMFlag", "Flag", "_addr");
  return found != 0 && address_at >= 0 && *read<bool*>(found + static_cast<uintptr_t>(address_at));
}

VmStructs::FlagResult VmStructs::switch_flag_on(const char* name) const {
  uintptr_t found = flag(name);
  int address_at = either_offset("JVMFlag", "Flag", "_addr");
  int origin_at = either_offset("JVMFlag", "Flag", "_flags");
  if (found == 0 || address_at < 0 || origin_at < 0) return FlagResult::kNotFound;
  constexpr uint32_t kOriginMask = 0xf;
  if ((read<uint32_t>(found + static_cast<uintptr_t>(origin_at)) & kOriginMask) != 0) return FlagResult::kWasChosen;
  auto* value = reinterpret_cast<volatile bool*>(read<uintptr_t>(found + static_cast<uintptr_t>(address_at)));
  if (*value) return FlagResult::kWasChosen;
  *value = true;
  return FlagResult::kSwitchedOn;
}

// Reads a Symbol: u2 length, then the letters (share/oops/symbol.hpp).
std::string VmStructs::symbol(uintptr_t address) const {
  int length_at = offset("Symbol", "_length");
  int body_at = offset("Symbol", "_body");
  if (address == 0 || length_at < 0 || body_at < 0) return "";
  std::string letters(read_checked(address + static_cast<uintptr_t>(length_at)) & UINT16_MAX, '\0');
  if (!read_checked(address + static_cast<uintptr_t>(body_at), letters.data(), letters.size())) return "";
  return letters;
}

std::string VmStructs::class_name(uintptr_t klass) const {
  int name_at = offset("Klass", "_name");
  if (klass == 0 || name_at < 0) return "";
  std::string name = symbol(read_checked(klass + static_cast<uintptr_t>(name_at)));
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

// A collector may move the mirror while it is read: then the found value is refused, or the memory is unmapped.
uintptr_t VmStructs::instance_size(uintptr_t mirror) const {
  const Field* klass_at = field("java_lang_Class", "_klass_offset");
  int helper_at = offset("Klass", "_layout_helper");
  if (klass_at == nullptr || !klass_at->is_static || helper_at < 0) return 0;
  uintptr_t klass = read_checked(mirror + read<uint32_t>(klass_at->address));
  if (klass == 0) return 0;
  constexpr uintptr_t kSlowPath = 1;  // instances are not allocated by compiled code (share/oops/klass.hpp)
  uintptr_t size = read_checked(klass + static_cast<uintptr_t>(helper_at)) & UINT32_MAX & ~kSlowPath;
  constexpr uintptr_t kMost = 256;
  return size % sizeof(uintptr_t) == 0 && size <= kMost ? size : 0;
}

capture::ReferenceLayout VmStructs::reference_layout() const {
  capture::ReferenceLayout layout;
  if (boolean_flag("UseZGC")) {
    uintptr_t globals = static_value("ZGlobalsForVMStructs", "_instance_p");
    int shift_at = offset("ZGlobalsForVMStructs", "_ZPointerLoadShift");
    bool generational = flag("ZGenerational") == 0 || boolean_flag("ZGenerational");  // JDK 24 removed the flag
    if (globals == 0 || shift_at < 0 || !generational) return layout;
    layout.colour_shift = read<uintptr_t>(globals + static_cast<uintptr_t>(shift_at));
    layout.known = true;
    return layout;
  }
  layout.compressed = boolean_flag("UseCompressedOops");
  layout.known = true;
  if (!layout.compressed) return layout;
  // Until JDK 23 the names include the struct that the fields were in.
  const char* base = field("CompressedOops", "_base") != nullptr ? "_base" : "_narrow_oop._base";
  const char* shift = field("CompressedOops", "_shift") != nullptr ? "_shift" : "_narrow_oop._shift";
  const Field* shift_field = field("CompressedOops", shift);
  layout.known = field("CompressedOops", base) != nullptr && shift_field != nullptr;
  if (!layout.known) return layout;
  layout.narrow_base = static_value("CompressedOops", base);
  layout.narrow_shift = read<uint32_t>(shift_field->address);
  return layout;
}

int VmStructs::mounted_thread_offset() const {
  return offset("JavaThread", "_vthread");
}

uintptr_t VmStructs::return_barrier() const {
  return static_value("StubRoutines", "_cont_returnBarrier");
}

// Returns the aligned size (ContinuationEntry::size). JDK 21 does not export it; the value is that of 25.
uintptr_t VmStructs::continuation_entry_size() const {
  constexpr uintptr_t kIn21 = 64;
  auto size = sizes_.find("ContinuationEntry");
  constexpr uintptr_t kAlignment = 2 * sizeof(uintptr_t);
  return size == sizes_.end() ? kIn21 : (size->second + kAlignment - 1) / kAlignment * kAlignment;
}

int VmStructs::thread_id_offset_in_osthread() const {
  return offset("OSThread", "_thread_id");
}

int VmStructs::state_offset_in_osthread() const {
  return offset("OSThread", "_state");
}

int VmStructs::osthread_offset() const {
  const Field* found = either("JavaThread", "Thread", "_osthread");
  return found == nullptr ? -1 : static_cast<int>(found->offset);
}

uintptr_t java_thread_of(JNIEnv* env, jthread thread) {
  jclass thread_class = env->FindClass("java/lang/Thread");
  jfieldID eetop = thread_class == nullptr ? nullptr : env->GetFieldID(thread_class, "eetop", "J");
  uintptr_t result = eetop == nullptr ? 0 : static_cast<uintptr_t>(env->GetLongField(thread, eetop));
  if (env->ExceptionCheck() != JNI_FALSE) env->ExceptionClear();
  if (thread_class != nullptr) env->DeleteLocalRef(thread_class);
  return result;
}

capture::ThreadAccess find_thread_access(JNIEnv* env, void* libjvm) {
  capture::ThreadAccess access;
  access.get_call_trace = reinterpret_cast<capture::AsyncGetCallTrace>(dlsym(libjvm, "AsyncGetCallTrace"));
  jclass thread_class = env->FindClass("java/lang/Thread");
  jmethodID current =
      thread_class == nullptr ? nullptr : env->GetStaticMethodID(thread_class, "currentThread", "()Ljava/lang/Thread;");
  jobject self = current == nullptr ? nullptr : env->CallStaticObjectMethod(thread_class, current);
  if (env->ExceptionCheck() != JNI_FALSE) env->ExceptionClear();
  if (self == nullptr) return access;
  uintptr_t thread = java_thread_of(env, self);
  env->DeleteLocalRef(self);
  env->DeleteLocalRef(thread_class);
  if (thread == 0) return access;
  access.env_offset = static_cast<intptr_t>(reinterpret_cast<uintptr_t>(env) - thread);
  access.env_functions = read<uintptr_t>(reinterpret_cast<uintptr_t>(env));
  for (int key = 0; key < PTHREAD_KEYS_MAX; key++) {
    if (reinterpret_cast<uintptr_t>(pthread_getspecific(static_cast<pthread_key_t>(key))) == thread) {
      access.key = key;
      break;
    }
  }
  return access;
}

}  // namespace hearth::symbols
