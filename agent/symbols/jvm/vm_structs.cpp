#include "symbols/jvm/vm_structs.h"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <climits>

#include "symbols/jvm/vm_memory.h"

namespace hearth::symbols {

VmStructs::FlagResult VmStructs::switch_flag_on(const char* name) const {
  uintptr_t found = tables_.flag(name);
  int address_at = tables_.either_offset("JVMFlag", "Flag", "_addr");
  int origin_at = tables_.either_offset("JVMFlag", "Flag", "_flags");
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
  int length_at = tables_.offset("Symbol", "_length");
  int body_at = tables_.offset("Symbol", "_body");
  if (address == 0 || length_at < 0 || body_at < 0) return "";
  std::string letters(read_checked(address + static_cast<uintptr_t>(length_at)) & UINT16_MAX, '\0');
  if (!read_checked(address + static_cast<uintptr_t>(body_at), letters.data(), letters.size())) return "";
  return letters;
}

std::string VmStructs::class_name(uintptr_t klass) const {
  int name_at = tables_.offset("Klass", "_name");
  if (klass == 0 || name_at < 0) return "";
  std::string name = symbol(read_checked(klass + static_cast<uintptr_t>(name_at)));
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

// A collector may move the mirror while it is read: then the found value is refused, or the memory is unmapped.
uintptr_t VmStructs::class_behind(uintptr_t mirror) const {
  const VmTables::Field* klass_at = tables_.field("java_lang_Class", "_klass_offset");
  if (klass_at == nullptr || !klass_at->is_static) return 0;
  return read_checked(mirror + read<uint32_t>(klass_at->address));
}

uintptr_t VmStructs::instance_size(uintptr_t mirror) const {
  int helper_at = tables_.offset("Klass", "_layout_helper");
  uintptr_t klass = class_behind(mirror);
  if (klass == 0 || helper_at < 0) return 0;
  constexpr uintptr_t kSlowPath = 1;  // instances are not allocated by compiled code (share/oops/klass.hpp)
  uintptr_t size = read_checked(klass + static_cast<uintptr_t>(helper_at)) & UINT32_MAX & ~kSlowPath;
  constexpr uintptr_t kMost = 256;
  return size % sizeof(uintptr_t) == 0 && size <= kMost ? size : 0;
}

capture::ReferenceLayout VmStructs::reference_layout() const {
  capture::ReferenceLayout layout;
  if (tables_.boolean_flag("UseZGC")) {
    uintptr_t globals = tables_.static_value("ZGlobalsForVMStructs", "_instance_p");
    int shift_at = tables_.offset("ZGlobalsForVMStructs", "_ZPointerLoadShift");
    bool generational =
        tables_.flag("ZGenerational") == 0 || tables_.boolean_flag("ZGenerational");  // JDK 24 removed the flag
    if (globals == 0 || shift_at < 0 || !generational) return layout;
    layout.colour_shift = read<uintptr_t>(globals + static_cast<uintptr_t>(shift_at));
    layout.known = true;
    return layout;
  }
  layout.compressed = tables_.boolean_flag("UseCompressedOops");
  layout.known = true;
  if (!layout.compressed) return layout;
  std::optional<VmTables::Compression> found = tables_.of_references();
  layout.known = found.has_value();
  if (!found) return layout;
  layout.narrow_base = found->base;
  layout.narrow_shift = found->shift;
  return layout;
}

int VmStructs::mounted_thread_offset() const {
  return tables_.offset("JavaThread", "_vthread");
}

uintptr_t VmStructs::return_barrier() const {
  return tables_.static_value("StubRoutines", "_cont_returnBarrier");
}

// Returns the aligned size (ContinuationEntry::size). JDK 21 does not export it; the value is that of 25.
uintptr_t VmStructs::continuation_entry_size() const {
  constexpr uintptr_t kIn21 = 64;
  int size = tables_.size_of("ContinuationEntry");
  constexpr uintptr_t kAlignment = 2 * sizeof(uintptr_t);
  return size < 0 ? kIn21 : (static_cast<uintptr_t>(size) + kAlignment - 1) / kAlignment * kAlignment;
}

int VmStructs::thread_id_offset_in_osthread() const {
  return tables_.offset("OSThread", "_thread_id");
}

int VmStructs::state_offset_in_osthread() const {
  return tables_.offset("OSThread", "_state");
}

int VmStructs::osthread_offset() const {
  return tables_.either_offset("JavaThread", "Thread", "_osthread");
}

capture::LockHolderLayout VmStructs::monitor_layout() const {
  capture::LockHolderLayout layout;
  int pending = tables_.either_offset("JavaThread", "Thread", "_current_pending_monitor");
  int owner = tables_.offset("ObjectMonitor", "_owner");
  int object = tables_.offset("ObjectMonitor", "_object");
  layout.has_monitors = pending >= 0 && owner >= 0 && object >= 0;
  layout.pending = static_cast<uintptr_t>(pending);
  layout.waiting = tables_.either_offset("JavaThread", "Thread", "_current_waiting_monitor");
  layout.owner = static_cast<uintptr_t>(owner);
  layout.object = static_cast<uintptr_t>(object);
  constexpr int kFirstWithWeakHandle = 16;  // JDK-8253064
  layout.object_is_handle = tables_.jdk() >= kFirstWithWeakHandle;
  layout.owner_id = tables_.offset("JavaThread", "_monitor_owner_id");
  layout.stack_base = tables_.either_offset("JavaThread", "Thread", "_stack_base");
  layout.stack_size = tables_.either_offset("JavaThread", "Thread", "_stack_size");
  int lock_stack = tables_.offset("JavaThread", "_lock_stack");
  int top = tables_.offset("LockStack", "_top");
  int base = tables_.offset("LockStack", "_base[0]");
  if (lock_stack >= 0 && top >= 0 && base >= 0) {
    layout.lock_stack_top = lock_stack + top;
    layout.lock_stack = static_cast<uintptr_t>(lock_stack) + static_cast<uintptr_t>(base);
  }
  return layout;
}

int VmStructs::thread_object_offset(bool* is_handle) const {
  const VmTables::Field* field = tables_.field("JavaThread", "_threadObj");
  if (field == nullptr || field->is_static) return -1;
  *is_handle = field->type == "OopHandle";  // JDK 16 on
  return static_cast<int>(field->offset);
}

int VmStructs::super_offset() const {
  return tables_.offset("Klass", "_super");
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
