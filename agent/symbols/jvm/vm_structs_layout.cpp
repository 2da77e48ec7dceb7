// VmStructs::layout: each fact that differs between JDKs is found in one nmethod_table.
#include <algorithm>
#include <string_view>
#include <utility>

#include "capture/arch/processor.h"
#include "symbols/jvm/vm_memory.h"
#include "symbols/jvm/vm_structs.h"

namespace hearth::symbols {
namespace {

// Entries of methods follow each other among the interpreter's codelets, each with its description
// (share/interpreter/templateInterpreterGenerator.cpp).
// `size` and `description`: offsets in an InterpreterCodelet.
void find_method_entries(int size, int description, capture::VmLayout* vm) {
  if (size < 0 || description < 0) return;
  uintptr_t codelet = vm->interpreter_begin;
  while (codelet < vm->interpreter_end) {
    auto bytes = read<uint32_t>(codelet + static_cast<uintptr_t>(size));
    if (bytes == 0) return;
    auto* text = reinterpret_cast<const char*>(read<uintptr_t>(codelet + static_cast<uintptr_t>(description)));
    bool is_entry = text != nullptr && std::string_view(text).find("method entry point") == 0;
    if (is_entry && vm->entries_begin == 0) vm->entries_begin = codelet;
    if (is_entry) vm->entries_end = codelet + bytes;
    codelet += bytes;
  }
}

}  // namespace

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
  vm->const_name = offset("ConstMethod", "_name_index");
  vm->pool_holder = offset("ConstantPool", "_pool_holder");
  vm->class_constants = offset("InstanceKlass", "_constants");
  auto pool_size = sizes_.find("ConstantPool");
  if (pool_size != sizes_.end()) vm->pool_bytes = pool_size->second;
  vm->class_method_ids = offset("InstanceKlass", "_methods_jmethod_ids");
  return vm->nmethod_method >= 0 && vm->method_const >= 0 && vm->const_constants >= 0 && vm->const_idnum >= 0 &&
         vm->pool_holder >= 0 && vm->class_method_ids >= 0;
}

bool VmStructs::find_scopes(capture::VmLayout* vm) const {
  constexpr int kOwnCoding = 20;  // JDK-8292758
  vm->excluded_bytes = jdk() >= kOwnCoding ? 1 : 0;
  if (field("nmethod", "_immutable_data") != nullptr) {  // JDK 23 on
    vm->scopes_pcs = nmethod_table("nmethod", "_immutable_data", "_scopes_pcs_offset");
    vm->scopes_pcs_end = nmethod_table("nmethod", "_immutable_data", "_scopes_data_offset");
    vm->scopes_data = vm->scopes_pcs_end;
    vm->metadata = nmethod_table("CodeBlob", "_mutable_data", "_relocation_size");  // JDK 25 on
  } else {
    vm->scopes_pcs = nmethod_table("nmethod", nullptr, "_scopes_pcs_offset");
    vm->scopes_pcs_end = nmethod_table("nmethod", nullptr, "_dependencies_offset");
    vm->metadata = nmethod_table("nmethod", nullptr, "_metadata_offset");
    vm->scopes_data = field("CompiledMethod", "_scopes_data_begin") != nullptr
                          ? nmethod_table("CompiledMethod", "_scopes_data_begin", nullptr)
                          : nmethod_table("nmethod", nullptr, "_scopes_data_offset");
  }
  // JDK 9 to 22 keep an address; before and after that it is an offset, under three names.
  if (field("CompiledMethod", "_deopt_handler_begin") != nullptr) {
    vm->deopt_handler = nmethod_table("CompiledMethod", "_deopt_handler_begin", nullptr);
    vm->deopt_mh_handler = nmethod_table("CompiledMethod", "_deopt_mh_handler_begin", nullptr);
  } else {
    for (const char* name : {"_deoptimize_offset", "_deopt_handler_offset", "_deopt_handler_entry_offset"})
      if (field("nmethod", name) != nullptr) vm->deopt_handler = nmethod_table("nmethod", nullptr, name);
    for (const char* name : {"_deoptimize_mh_offset", "_deopt_mh_handler_offset"})
      if (field("nmethod", name) != nullptr) vm->deopt_mh_handler = nmethod_table("nmethod", nullptr, name);
  }
  vm->nmethod_orig_pc = offset("nmethod", "_orig_pc_offset");
  vm->nmethod_comp_level = offset("nmethod", "_comp_level");
  vm->nmethod_compile_id = offset("nmethod", "_compile_id");
  auto known = [](const capture::NmethodTable& found) { return found.base >= 0 || found.offset >= 0; };
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
  capture::InterpreterWords words = capture::interpreter_words(jdk());
  vm->bcp_word = words.bcp;
  vm->locals_word = words.locals;
  vm->sender_sp_register = words.sender_sp_register;
  if (capture::kReturnsByRegister)
    find_method_entries(offset("InterpreterCodelet", "_size"), offset("InterpreterCodelet", "_description"), vm);
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

bool VmStructs::find_compilations(capture::VmLayout* vm) const {
  vm->compiler_env = offset("CompilerThread", "_env");
  vm->env_task = offset("ciEnv", "_task");
  vm->task_method = offset("CompileTask", "_method");
  return vm->compiler_env >= 0 && vm->env_task >= 0 && vm->task_method >= 0;
}

capture::ClassLayout VmStructs::class_layout() const {
  capture::ClassLayout layout;
  layout.in_header = boolean_flag("UseCompactObjectHeaders");
  layout.compressed = layout.in_header || boolean_flag("UseCompressedClassPointers") ||
                      flag("UseCompressedClassPointers") == 0;  // JDK 27 has no other way
  int at = offset("oopDesc", layout.compressed ? "_metadata._compressed_klass" : "_metadata._klass");
  layout.offset = static_cast<uintptr_t>(std::max(at, 0));
  layout.known = at >= 0 || layout.in_header;
  if (!layout.compressed) return layout;
  // JDK 8 and 11, 17 and 21, 25 and 27.
  constexpr std::pair<const char*, const char*> kNames[] = {
      {"Universe", "_narrow_klass."}, {"CompressedKlassPointers", "_narrow_klass."}, {"CompressedKlassPointers", ""}};
  for (const auto& [type, prefix] : kNames) {
    const Field* shift = field(type, (std::string(prefix) + "_shift").c_str());
    if (shift == nullptr) continue;
    layout.narrow_base = static_value(type, (std::string(prefix) + "_base").c_str());
    layout.narrow_shift = read<uint32_t>(shift->address);
    return layout;
  }
  layout.known = false;
  return layout;
}

capture::ClassNameLayout VmStructs::class_name_layout() const {
  capture::ClassNameLayout layout;
  int name = offset("Klass", "_name");
  int length = offset("Symbol", "_length");
  int body = offset("Symbol", "_body");
  layout.known = name >= 0 && length >= 0 && body >= 0;
  if (!layout.known) return layout;
  layout.name = static_cast<uintptr_t>(name);
  layout.symbol_length = static_cast<uintptr_t>(length);
  layout.symbol_body = static_cast<uintptr_t>(body);
  return layout;
}

capture::AllocationLayout VmStructs::allocation_layout() const {
  capture::AllocationLayout layout;
  int bytes = offset("Thread", "_allocated_bytes");
  int tlab = offset("Thread", "_tlab");
  int start = offset("ThreadLocalAllocBuffer", "_start");
  int top = offset("ThreadLocalAllocBuffer", "_top");
  int end = offset("ThreadLocalAllocBuffer", "_end");
  int waste_limit = offset("ThreadLocalAllocBuffer", "_refill_waste_limit");
  layout.known = bytes >= 0 && tlab >= 0 && start >= 0 && top >= 0;
  if (!layout.known) return layout;
  layout.allocated_bytes = static_cast<uintptr_t>(bytes);
  layout.tlab_start = static_cast<uintptr_t>(tlab + start);
  layout.tlab_top = static_cast<uintptr_t>(tlab + top);
  layout.has_tlab_limits = end >= 0 && waste_limit >= 0;
  layout.tlab_end = static_cast<uintptr_t>(tlab + end);
  layout.waste_limit = static_cast<uintptr_t>(tlab + waste_limit);
  // The fix removed a word from the TLAB, which precedes the counter; it may be backported to older releases, too.
  constexpr int kFirstFixed = 25;
  constexpr int kFixedTlabBytes = 112;
  layout.loses_count = jdk() < kFirstFixed && bytes - tlab > kFixedTlabBytes;
  constexpr int kFirstWithPointAfterwards = 17;  // for certain; some before it have one, too
  layout.forgets_point = jdk() < kFirstWithPointAfterwards;
  layout.uses_tlabs = boolean_flag("UseTLAB");
  // The sampler, which begins with its point, follows the counter directly from JDK 11 on (share/runtime/thread.hpp).
  layout.sample_point = layout.allocated_bytes + sizeof(uint64_t);
  return layout;
}

capture::ThreadListLayout VmStructs::thread_list_layout() const {
  capture::ThreadListLayout layout;
  if (const Field* list = field("ThreadsSMRSupport", "_java_thread_list")) {
    int length = offset("ThreadsList", "_length");
    int threads = offset("ThreadsList", "_threads");
    layout.known = list->is_static && length >= 0 && threads >= 0;
    layout.list = list->address;
    layout.length = static_cast<uintptr_t>(length);
    layout.threads = static_cast<uintptr_t>(threads);
  } else if (const Field* first = field("Threads", "_thread_list")) {
    int next = offset("JavaThread", "_next");
    layout.known = first->is_static && next >= 0;
    layout.list = first->address;
    layout.is_chain = true;
    layout.next = static_cast<uintptr_t>(next);
  }
  return layout;
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
  vm.compilations = find_compilations(&vm);
  vm.classes = class_layout();
  vm.allocations = allocation_layout();
  vm.thread_list = thread_list_layout();
  vm.class_names = class_name_layout();
  if (!vm.code_cache) missing->emplace_back("code cache layout");
  if (!vm.threads) missing->emplace_back("thread layout");
  if (!vm.methods) missing->emplace_back("method layout");
  if (!vm.scopes) missing->emplace_back("debug information");
  if (!vm.interpreter) missing->emplace_back("interpreter layout");
  if (!vm.entries) missing->emplace_back("call wrapper layout");
  return vm;
}

}  // namespace hearth::symbols
