#include "symbols/vm_structs.h"

#include <dlfcn.h>
#include <pthread.h>

#include <climits>
#include <cstring>

namespace hearth::symbols {
namespace {

template <typename T>
T read(uintptr_t address) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

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

// JDK 9 on: CodeCache::_heaps, a GrowableArray<CodeHeap*>*; JDK 8: CodeCache::_heap, one CodeHeap*.
bool VmStructs::find_code_heaps(capture::VmLayout* vm) const {
  int memory = offset("CodeHeap", "_memory");
  int segmap = offset("CodeHeap", "_segmap");
  int low = offset("VirtualSpace", "_low");
  int high = offset("VirtualSpace", "_high");
  vm->heap_log2_segment_size = offset("CodeHeap", "_log2_segment_size");
  vm->block_used = offset("HeapBlock::Header", "_used");
  auto block = sizes_.find("HeapBlock");
  if (memory < 0 || segmap < 0 || low < 0 || high < 0 || vm->heap_log2_segment_size < 0 || vm->block_used < 0 ||
      block == sizes_.end())
    return false;
  vm->heap_memory_low = memory + low;
  vm->heap_memory_high = memory + high;
  vm->heap_segmap_low = segmap + low;
  vm->block_size = static_cast<int>(block->second);
  if (uintptr_t heaps = static_value("CodeCache", "_heaps")) {
    const Field* length = either("GrowableArrayBase", "GenericGrowableArray", "_len");
    int data = offset("GrowableArray<int>", "_data");
    if (length == nullptr || data < 0) return false;
    int count = read<int32_t>(heaps + length->offset);
    auto elements = read<uintptr_t>(heaps + static_cast<uintptr_t>(data));
    for (int i = 0; i < count && vm->heap_count < capture::VmLayout::kMaxCodeHeaps; i++)
      vm->heaps[vm->heap_count++] = read<uintptr_t>(elements + static_cast<uintptr_t>(i) * sizeof(uintptr_t));
  } else if (uintptr_t heap = static_value("CodeCache", "_heap")) {
    vm->heaps[vm->heap_count++] = heap;
  }
  return vm->heap_count > 0;
}

bool VmStructs::find_blobs(capture::VmLayout* vm) const {
  vm->blob_name = offset("CodeBlob", "_name");
  vm->blob_frame_size = offset("CodeBlob", "_frame_size");
  vm->blob_frame_complete = offset("CodeBlob", "_frame_complete_offset");
  const Field* complete = field("CodeBlob", "_frame_complete_offset");
  vm->blob_frame_complete_short = complete != nullptr && complete->type == "int16_t";
  vm->call_stub_return = static_value("StubRoutines", "_call_stub_return_address");
  // JDK 23 replaced the code's addresses by offsets from the blob (codeBlob.hpp).
  vm->blob_code_is_offset = field("CodeBlob", "_code_begin") == nullptr;
  vm->blob_code_begin = offset("CodeBlob", vm->blob_code_is_offset ? "_code_offset" : "_code_begin");
  vm->blob_code_end = offset("CodeBlob", vm->blob_code_is_offset ? "_data_offset" : "_code_end");
  return vm->blob_name >= 0 && vm->blob_frame_size >= 0 && vm->blob_frame_complete >= 0 && vm->blob_code_begin >= 0 &&
         vm->blob_code_end >= 0 && vm->call_stub_return != 0;
}

bool VmStructs::find_threads(capture::VmLayout* vm) const {
  int anchor = offset("JavaThread", "_anchor");
  int sp = offset("JavaFrameAnchor", "_last_Java_sp");
  int pc = offset("JavaFrameAnchor", "_last_Java_pc");
  int fp = offset("JavaFrameAnchor", "_last_Java_fp");
  vm->thread_state = offset("JavaThread", "_thread_state");
  if (anchor < 0 || sp < 0 || pc < 0 || fp < 0 || vm->thread_state < 0) return false;
  vm->anchor_sp = anchor + sp;
  vm->anchor_pc = anchor + pc;
  vm->anchor_fp = anchor + fp;
  return true;
}

bool VmStructs::find_methods(capture::VmLayout* vm) const {
  const Field* method = either("nmethod", "CompiledMethod", "_method");
  vm->nmethod_method = method == nullptr ? -1 : static_cast<int>(method->offset);
  vm->method_const = offset("Method", "_constMethod");
  vm->const_constants = offset("ConstMethod", "_constants");
  vm->const_idnum = offset("ConstMethod", "_method_idnum");
  vm->pool_holder = offset("ConstantPool", "_pool_holder");
  vm->class_method_ids = offset("InstanceKlass", "_methods_jmethod_ids");
  return vm->nmethod_method >= 0 && vm->method_const >= 0 && vm->const_constants >= 0 && vm->const_idnum >= 0 &&
         vm->pool_holder >= 0 && vm->class_method_ids >= 0;
}

capture::VmLayout VmStructs::layout(std::vector<std::string>* missing) const {
  capture::VmLayout vm;
  vm.code_cache = find_code_heaps(&vm) && find_blobs(&vm);
  vm.threads = find_threads(&vm);
  vm.methods = find_methods(&vm);
  if (!vm.code_cache) missing->emplace_back("code cache layout");
  if (!vm.threads) missing->emplace_back("thread layout");
  if (!vm.methods) missing->emplace_back("method layout");
  return vm;
}

// JVMFlag (Flag in JDK 8): an array of {name, address of the value, origin}. Origin 0 is DEFAULT; the low bits hold it
// (share/runtime/flags/jvmFlag.hpp).
VmStructs::FlagResult VmStructs::switch_flag_on(const char* name) const {
  const char* type = field("JVMFlag", "flags") != nullptr ? "JVMFlag" : "Flag";
  uintptr_t flag = static_value(type, "flags");
  uintptr_t count = static_value(type, "numFlags");
  int name_at = offset(type, "_name");
  int address_at = offset(type, "_addr");
  int origin_at = offset(type, "_flags");
  auto size = sizes_.find(type);
  if (flag == 0 || name_at < 0 || address_at < 0 || origin_at < 0 || size == sizes_.end()) return FlagResult::kNotFound;
  constexpr uint32_t kOriginMask = 0xf;
  for (uintptr_t i = 0; i < count; i++, flag += size->second) {
    auto flag_name = read<const char*>(flag + static_cast<uintptr_t>(name_at));
    if (flag_name == nullptr || std::strcmp(flag_name, name) != 0) continue;
    if ((read<uint32_t>(flag + static_cast<uintptr_t>(origin_at)) & kOriginMask) != 0) return FlagResult::kWasChosen;
    auto* value = reinterpret_cast<volatile bool*>(read<uintptr_t>(flag + static_cast<uintptr_t>(address_at)));
    if (*value) return FlagResult::kWasChosen;
    *value = true;
    return FlagResult::kSwitchedOn;
  }
  return FlagResult::kNotFound;
}

int VmStructs::thread_id_offset_in_osthread() const {
  return offset("OSThread", "_thread_id");
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
