#include "symbols/vm_structs.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
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

// A word that may be anywhere: the kernel reads it, and 0 stands for what is not there.
uintptr_t read_checked(uintptr_t address) {
  uintptr_t value = 0;
  iovec to = {&value, sizeof value};
  iovec from = {reinterpret_cast<void*>(address), sizeof value};
  return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == static_cast<ssize_t>(sizeof value) ? value : 0;
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

// `base` or `offset` null: the place has none. {-1, -1} when a field is missing.
capture::Place VmStructs::place(const char* type, const char* base, const char* offset_name) const {
  capture::Place result;
  if (base != nullptr && (result.base = offset(type, base)) < 0) return {};
  if (offset_name != nullptr && (result.offset = offset(type, offset_name)) < 0) return {};
  return result;
}

// JDK 8 counts HotSpot's own versions; only its code cache is one heap.
int VmStructs::jdk() const {
  if (field("CodeCache", "_heap") != nullptr) return 8;
  return static_cast<int>(static_value("Abstract_VM_Version", "_vm_major_version") & 0xffff);
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
  return vm->heap_count > 0 && find_code_bounds(memory, vm);
}

bool VmStructs::find_code_bounds(int memory, capture::VmLayout* vm) const {
  int low = offset("VirtualSpace", "_low_boundary");
  int high = offset("VirtualSpace", "_high_boundary");
  if (low < 0 || high < 0) return false;
  vm->code_low = UINTPTR_MAX;
  for (int i = 0; i < vm->heap_count; i++) {
    uintptr_t space = vm->heaps[i] + static_cast<uintptr_t>(memory);
    vm->code_low = std::min(vm->code_low, read<uintptr_t>(space + static_cast<uintptr_t>(low)));
    vm->code_high = std::max(vm->code_high, read<uintptr_t>(space + static_cast<uintptr_t>(high)));
  }
  return true;
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

bool VmStructs::find_scopes(capture::VmLayout* vm) const {
  constexpr int kOwnCoding = 20;  // JDK-8292758
  vm->excluded_bytes = jdk() >= kOwnCoding ? 1 : 0;
  if (field("nmethod", "_immutable_data") != nullptr) {  // JDK 23 on
    vm->scopes_pcs = place("nmethod", "_immutable_data", "_scopes_pcs_offset");
    vm->scopes_pcs_end = place("nmethod", "_immutable_data", "_scopes_data_offset");
    vm->scopes_data = vm->scopes_pcs_end;
    vm->metadata = place("CodeBlob", "_mutable_data", "_relocation_size");  // JDK 25 on
  } else {
    vm->scopes_pcs = place("nmethod", nullptr, "_scopes_pcs_offset");
    vm->scopes_pcs_end = place("nmethod", nullptr, "_dependencies_offset");
    vm->metadata = place("nmethod", nullptr, "_metadata_offset");
    vm->scopes_data = field("CompiledMethod", "_scopes_data_begin") != nullptr
                          ? place("CompiledMethod", "_scopes_data_begin", nullptr)
                          : place("nmethod", nullptr, "_scopes_data_offset");
  }
  // JDK 9 to 22 keep an address; before and after that it is an offset, under three names.
  if (field("CompiledMethod", "_deopt_handler_begin") != nullptr) {
    vm->deopt_handler = place("CompiledMethod", "_deopt_handler_begin", nullptr);
    vm->deopt_mh_handler = place("CompiledMethod", "_deopt_mh_handler_begin", nullptr);
  } else {
    for (const char* name : {"_deoptimize_offset", "_deopt_handler_offset", "_deopt_handler_entry_offset"})
      if (field("nmethod", name) != nullptr) vm->deopt_handler = place("nmethod", nullptr, name);
    for (const char* name : {"_deoptimize_mh_offset", "_deopt_mh_handler_offset"})
      if (field("nmethod", name) != nullptr) vm->deopt_mh_handler = place("nmethod", nullptr, name);
  }
  vm->nmethod_orig_pc = offset("nmethod", "_orig_pc_offset");
  vm->nmethod_comp_level = offset("nmethod", "_comp_level");
  vm->nmethod_compile_id = offset("nmethod", "_compile_id");
  auto known = [](const capture::Place& found) { return found.base >= 0 || found.offset >= 0; };
  return known(vm->scopes_pcs) && known(vm->scopes_pcs_end) && known(vm->scopes_data) && known(vm->metadata) &&
         known(vm->deopt_handler) && vm->nmethod_orig_pc >= 0 && vm->nmethod_comp_level >= 0 &&
         vm->nmethod_compile_id >= 0;
}

bool VmStructs::find_interpreter(capture::VmLayout* vm) const {
  uintptr_t queue = static_value("AbstractInterpreter", "_code");
  int buffer = offset("StubQueue", "_stub_buffer");
  int limit = offset("StubQueue", "_buffer_limit");
  auto const_size = sizes_.find("ConstMethod");
  vm->const_code_size = offset("ConstMethod", "_code_size");
  if (queue == 0 || buffer < 0 || limit < 0 || const_size == sizes_.end() || vm->const_code_size < 0) return false;
  vm->const_size = static_cast<int>(const_size->second);
  vm->interpreter_begin = read<uintptr_t>(queue + static_cast<uintptr_t>(buffer));
  vm->interpreter_end = vm->interpreter_begin + read<uint32_t>(queue + static_cast<uintptr_t>(limit));
  constexpr int kFirstWithMirror = 9;
  if (jdk() < kFirstWithMirror) vm->bcp_word = -7;
  return true;
}

bool VmStructs::find_entries(capture::VmLayout* vm) const {
  auto word = constants_.find("frame::entry_frame_call_wrapper_offset");
  int anchor = offset("JavaCallWrapper", "_anchor");
  int sp = offset("JavaFrameAnchor", "_last_Java_sp");
  int pc = offset("JavaFrameAnchor", "_last_Java_pc");
  int fp = offset("JavaFrameAnchor", "_last_Java_fp");
  if (word == constants_.end() || anchor < 0 || sp < 0 || pc < 0 || fp < 0) return false;
  vm->call_wrapper_word = word->second;
  vm->wrapper_anchor_sp = anchor + sp;
  vm->wrapper_anchor_pc = anchor + pc;
  vm->wrapper_anchor_fp = anchor + fp;
  return true;
}

capture::VmLayout VmStructs::layout(std::vector<std::string>* missing) const {
  capture::VmLayout vm;
  vm.code_cache = find_code_heaps(&vm) && find_blobs(&vm);
  vm.threads = find_threads(&vm);
  vm.methods = find_methods(&vm);
  constexpr int kFirstWithOpaqueIds = 26;  // JDK-8268406
  vm.method_ids_are_handles = jdk() < kFirstWithOpaqueIds;
  vm.scopes = find_scopes(&vm);
  vm.interpreter = find_interpreter(&vm);
  vm.entries = find_entries(&vm);
  if (!vm.code_cache) missing->emplace_back("code cache layout");
  if (!vm.threads) missing->emplace_back("thread layout");
  if (!vm.methods) missing->emplace_back("method layout");
  if (!vm.scopes) missing->emplace_back("debug information");
  if (!vm.interpreter) missing->emplace_back("interpreter layout");
  if (!vm.entries) missing->emplace_back("call wrapper layout");
  return vm;
}

// JVMFlag (Flag in JDK 8): an array of {name, address of the value, origin}. Origin 0 is DEFAULT; the low bits hold it
// (share/runtime/flags/jvmFlag.hpp).
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

// A collector may move the mirror while it is read: then what is found is refused, or read as memory that is gone.
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

bool VmStructs::find_references(capture::ContinuationLayout* layout) const {
  if (boolean_flag("UseZGC")) {
    uintptr_t globals = static_value("ZGlobalsForVMStructs", "_instance_p");
    int shift_at = offset("ZGlobalsForVMStructs", "_ZPointerLoadShift");
    bool generational = flag("ZGenerational") == 0 || boolean_flag("ZGenerational");  // the flag went with JDK 24
    if (globals == 0 || shift_at < 0 || !generational) return false;
    layout->colour_shift = read<uintptr_t>(globals + static_cast<uintptr_t>(shift_at));
    return true;
  }
  layout->compressed = boolean_flag("UseCompressedOops");
  if (!layout->compressed) return true;
  // Named with the struct it was a member of until JDK 23.
  const char* base = field("CompressedOops", "_base") != nullptr ? "_base" : "_narrow_oop._base";
  const char* shift = field("CompressedOops", "_shift") != nullptr ? "_shift" : "_narrow_oop._shift";
  const Field* shift_field = field("CompressedOops", shift);
  if (field("CompressedOops", base) == nullptr || shift_field == nullptr) return false;
  layout->narrow_base = static_value("CompressedOops", base);
  layout->narrow_shift = read<uint32_t>(shift_field->address);
  return true;
}

uintptr_t VmStructs::return_barrier() const {
  return static_value("StubRoutines", "_cont_returnBarrier");
}

// As the stack is aligned (ContinuationEntry::size). JDK 21 does not tell; there it is as in 25.
uintptr_t VmStructs::continuation_entry_size() const {
  constexpr uintptr_t kIn21 = 64;
  auto size = sizes_.find("ContinuationEntry");
  constexpr uintptr_t kAlignment = 2 * sizeof(uintptr_t);
  return size == sizes_.end() ? kIn21 : (size->second + kAlignment - 1) / kAlignment * kAlignment;
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
