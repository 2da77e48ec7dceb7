// VmStructs::layout: each fact that differs between JDKs is found in one function.
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

// `base` or `offset_name` may be null: the table has none. Returns {-1, -1} if a field is missing.
capture::NmethodTable nmethod_table(const VmTables& tables, const char* type, const char* base,
                                    const char* offset_name) {
  capture::NmethodTable result;
  if (base != nullptr && (result.base = tables.offset(type, base)) < 0) return {};
  if (offset_name != nullptr && (result.offset = tables.offset(type, offset_name)) < 0) return {};
  return result;
}

bool find_code_bounds(const VmTables& tables, int memory, capture::VmLayout* vm) {
  int low = tables.offset("VirtualSpace", "_low_boundary");
  int high = tables.offset("VirtualSpace", "_high_boundary");
  if (low < 0 || high < 0) return false;
  vm->code_low = UINTPTR_MAX;
  for (int i = 0; i < vm->heap_count; i++) {
    uintptr_t space = vm->heaps[i] + static_cast<uintptr_t>(memory);
    vm->code_low = std::min(vm->code_low, read<uintptr_t>(space + static_cast<uintptr_t>(low)));
    vm->code_high = std::max(vm->code_high, read<uintptr_t>(space + static_cast<uintptr_t>(high)));
  }
  return true;
}

// JDK 9 on: CodeCache::_heaps, a GrowableArray<CodeHeap*>*; JDK 8: CodeCache::_heap, one CodeHeap*.
bool find_code_heaps(const VmTables& tables, capture::VmLayout* vm) {
  int memory = tables.offset("CodeHeap", "_memory");
  int segmap = tables.offset("CodeHeap", "_segmap");
  int low = tables.offset("VirtualSpace", "_low");
  int high = tables.offset("VirtualSpace", "_high");
  vm->heap_log2_segment_size = tables.offset("CodeHeap", "_log2_segment_size");
  vm->block_used = tables.offset("HeapBlock::Header", "_used");
  int block = tables.size_of("HeapBlock");
  if (memory < 0 || segmap < 0 || low < 0 || high < 0 || vm->heap_log2_segment_size < 0 || vm->block_used < 0 ||
      block < 0)
    return false;
  vm->heap_memory_low = memory + low;
  vm->heap_memory_high = memory + high;
  vm->heap_segmap_low = segmap + low;
  vm->block_size = block;
  if (uintptr_t heaps = tables.static_value("CodeCache", "_heaps")) {
    int length = tables.either_offset("GrowableArrayBase", "GenericGrowableArray", "_len");
    int data = tables.offset("GrowableArray<int>", "_data");
    if (length < 0 || data < 0) return false;
    int count = read<int32_t>(heaps + static_cast<uintptr_t>(length));
    auto elements = read<uintptr_t>(heaps + static_cast<uintptr_t>(data));
    for (int i = 0; i < count && vm->heap_count < capture::VmLayout::kMaxCodeHeaps; i++)
      vm->heaps[vm->heap_count++] = read<uintptr_t>(elements + static_cast<uintptr_t>(i) * sizeof(uintptr_t));
  } else if (uintptr_t heap = tables.static_value("CodeCache", "_heap")) {
    vm->heaps[vm->heap_count++] = heap;
  }
  return vm->heap_count > 0 && find_code_bounds(tables, memory, vm);
}

bool find_blobs(const VmTables& tables, capture::VmLayout* vm) {
  vm->blob_name = tables.offset("CodeBlob", "_name");
  vm->blob_frame_size = tables.offset("CodeBlob", "_frame_size");
  vm->blob_frame_complete = tables.offset("CodeBlob", "_frame_complete_offset");
  const VmTables::Field* complete = tables.field("CodeBlob", "_frame_complete_offset");
  vm->blob_frame_complete_short = complete != nullptr && complete->type == "int16_t";
  vm->call_stub_return = tables.static_value("StubRoutines", "_call_stub_return_address");
  // JDK 23 replaced the code's addresses by offsets from the blob (codeBlob.hpp).
  vm->blob_code_is_offset = tables.field("CodeBlob", "_code_begin") == nullptr;
  vm->blob_code_begin = tables.offset("CodeBlob", vm->blob_code_is_offset ? "_code_offset" : "_code_begin");
  vm->blob_code_end = tables.offset("CodeBlob", vm->blob_code_is_offset ? "_data_offset" : "_code_end");
  return vm->blob_name >= 0 && vm->blob_frame_size >= 0 && vm->blob_frame_complete >= 0 && vm->blob_code_begin >= 0 &&
         vm->blob_code_end >= 0 && vm->call_stub_return != 0;
}

bool find_threads(const VmTables& tables, capture::VmLayout* vm) {
  int anchor = tables.offset("JavaThread", "_anchor");
  int sp = tables.offset("JavaFrameAnchor", "_last_Java_sp");
  int pc = tables.offset("JavaFrameAnchor", "_last_Java_pc");
  int fp = tables.offset("JavaFrameAnchor", "_last_Java_fp");
  vm->thread_state = tables.offset("JavaThread", "_thread_state");
  if (anchor < 0 || sp < 0 || pc < 0 || fp < 0 || vm->thread_state < 0) return false;
  vm->anchor_sp = anchor + sp;
  vm->anchor_pc = anchor + pc;
  vm->anchor_fp = anchor + fp;
  return true;
}

bool find_methods(const VmTables& tables, capture::VmLayout* vm) {
  vm->nmethod_method = tables.either_offset("nmethod", "CompiledMethod", "_method");
  vm->method_const = tables.offset("Method", "_constMethod");
  vm->const_constants = tables.offset("ConstMethod", "_constants");
  vm->const_idnum = tables.offset("ConstMethod", "_method_idnum");
  vm->const_name = tables.offset("ConstMethod", "_name_index");
  vm->pool_holder = tables.offset("ConstantPool", "_pool_holder");
  vm->class_constants = tables.offset("InstanceKlass", "_constants");
  int pool_size = tables.size_of("ConstantPool");
  if (pool_size >= 0) vm->pool_bytes = static_cast<uintptr_t>(pool_size);
  vm->class_method_ids = tables.offset("InstanceKlass", "_methods_jmethod_ids");
  return vm->nmethod_method >= 0 && vm->method_const >= 0 && vm->const_constants >= 0 && vm->const_idnum >= 0 &&
         vm->pool_holder >= 0 && vm->class_method_ids >= 0;
}

bool find_scopes(const VmTables& tables, capture::VmLayout* vm) {
  constexpr int kOwnCoding = 20;  // JDK-8292758
  vm->excluded_bytes = tables.jdk() >= kOwnCoding ? 1 : 0;
  if (tables.field("nmethod", "_immutable_data") != nullptr) {  // JDK 23 on
    vm->scopes_pcs = nmethod_table(tables, "nmethod", "_immutable_data", "_scopes_pcs_offset");
    vm->scopes_pcs_end = nmethod_table(tables, "nmethod", "_immutable_data", "_scopes_data_offset");
    vm->scopes_data = vm->scopes_pcs_end;
    vm->metadata = nmethod_table(tables, "CodeBlob", "_mutable_data", "_relocation_size");  // JDK 25 on
  } else {
    vm->scopes_pcs = nmethod_table(tables, "nmethod", nullptr, "_scopes_pcs_offset");
    vm->scopes_pcs_end = nmethod_table(tables, "nmethod", nullptr, "_dependencies_offset");
    vm->metadata = nmethod_table(tables, "nmethod", nullptr, "_metadata_offset");
    vm->scopes_data = tables.field("CompiledMethod", "_scopes_data_begin") != nullptr
                          ? nmethod_table(tables, "CompiledMethod", "_scopes_data_begin", nullptr)
                          : nmethod_table(tables, "nmethod", nullptr, "_scopes_data_offset");
  }
  // JDK 9 to 22 keep an address; before and after that it is an offset, under three names.
  if (tables.field("CompiledMethod", "_deopt_handler_begin") != nullptr) {
    vm->deopt_handler = nmethod_table(tables, "CompiledMethod", "_deopt_handler_begin", nullptr);
    vm->deopt_mh_handler = nmethod_table(tables, "CompiledMethod", "_deopt_mh_handler_begin", nullptr);
  } else {
    for (const char* name : {"_deoptimize_offset", "_deopt_handler_offset", "_deopt_handler_entry_offset"})
      if (tables.field("nmethod", name) != nullptr) vm->deopt_handler = nmethod_table(tables, "nmethod", nullptr, name);
    for (const char* name : {"_deoptimize_mh_offset", "_deopt_mh_handler_offset"})
      if (tables.field("nmethod", name) != nullptr)
        vm->deopt_mh_handler = nmethod_table(tables, "nmethod", nullptr, name);
  }
  vm->nmethod_orig_pc = tables.offset("nmethod", "_orig_pc_offset");
  vm->nmethod_comp_level = tables.offset("nmethod", "_comp_level");
  vm->nmethod_compile_id = tables.offset("nmethod", "_compile_id");
  auto known = [](const capture::NmethodTable& found) { return found.base >= 0 || found.offset >= 0; };
  return known(vm->scopes_pcs) && known(vm->scopes_pcs_end) && known(vm->scopes_data) && known(vm->metadata) &&
         known(vm->deopt_handler) && vm->nmethod_orig_pc >= 0 && vm->nmethod_comp_level >= 0 &&
         vm->nmethod_compile_id >= 0;
}

bool find_interpreter(const VmTables& tables, capture::VmLayout* vm) {
  uintptr_t queue = tables.static_value("AbstractInterpreter", "_code");
  int buffer = tables.offset("StubQueue", "_stub_buffer");
  int limit = tables.offset("StubQueue", "_buffer_limit");
  vm->const_size = tables.size_of("ConstMethod");
  vm->const_code_size = tables.offset("ConstMethod", "_code_size");
  if (queue == 0 || buffer < 0 || limit < 0 || vm->const_size < 0 || vm->const_code_size < 0) return false;
  vm->interpreter_begin = read<uintptr_t>(queue + static_cast<uintptr_t>(buffer));
  vm->interpreter_end = vm->interpreter_begin + read<uint32_t>(queue + static_cast<uintptr_t>(limit));
  capture::InterpreterWords words = capture::interpreter_words(tables.jdk());
  vm->bcp_word = words.bcp;
  vm->locals_word = words.locals;
  vm->sender_sp_register = words.sender_sp_register;
  if (capture::kReturnsByRegister)
    find_method_entries(tables.offset("InterpreterCodelet", "_size"),
                        tables.offset("InterpreterCodelet", "_description"), vm);
  return true;
}

bool find_entries(const VmTables& tables, capture::VmLayout* vm) {
  int word = tables.constant("frame::entry_frame_call_wrapper_offset").value_or(capture::kCallWrapperWord);
  int anchor = tables.offset("JavaCallWrapper", "_anchor");
  int sp = tables.offset("JavaFrameAnchor", "_last_Java_sp");
  int pc = tables.offset("JavaFrameAnchor", "_last_Java_pc");
  int fp = tables.offset("JavaFrameAnchor", "_last_Java_fp");
  if (word == 0 || anchor < 0 || sp < 0 || pc < 0 || fp < 0) return false;
  vm->call_wrapper_word = word;
  vm->wrapper_anchor_sp = anchor + sp;
  vm->wrapper_anchor_pc = anchor + pc;
  vm->wrapper_anchor_fp = anchor + fp;
  return true;
}

bool find_compilations(const VmTables& tables, capture::VmLayout* vm) {
  vm->compiler_env = tables.offset("CompilerThread", "_env");
  vm->env_task = tables.offset("ciEnv", "_task");
  vm->task_method = tables.offset("CompileTask", "_method");
  return vm->compiler_env >= 0 && vm->env_task >= 0 && vm->task_method >= 0;
}

capture::ClassLayout class_layout(const VmTables& tables) {
  capture::ClassLayout layout;
  layout.in_header = tables.boolean_flag("UseCompactObjectHeaders");
  layout.compressed = layout.in_header || tables.boolean_flag("UseCompressedClassPointers") ||
                      tables.flag("UseCompressedClassPointers") == 0;  // JDK 27 has no other way
  int at = tables.offset("oopDesc", layout.compressed ? "_metadata._compressed_klass" : "_metadata._klass");
  layout.offset = static_cast<uintptr_t>(std::max(at, 0));
  layout.known = at >= 0 || layout.in_header;
  if (!layout.compressed) return layout;
  std::optional<VmTables::Compression> found = tables.of_classes();
  layout.known = found.has_value();
  if (!found) return layout;
  layout.narrow_base = found->base;
  layout.narrow_shift = found->shift;
  return layout;
}

capture::ClassNameLayout class_name_layout(const VmTables& tables) {
  capture::ClassNameLayout layout;
  int name = tables.offset("Klass", "_name");
  int length = tables.offset("Symbol", "_length");
  int body = tables.offset("Symbol", "_body");
  layout.known = name >= 0 && length >= 0 && body >= 0;
  if (!layout.known) return layout;
  layout.name = static_cast<uintptr_t>(name);
  layout.symbol_length = static_cast<uintptr_t>(length);
  layout.symbol_body = static_cast<uintptr_t>(body);
  return layout;
}

// JDK 21 moved the flags into a class of their own.
capture::HandlerLayout handler_layout(const VmTables& tables) {
  constexpr int kFirstWithNumberedMethods = 26, kFirstWithNameIndex = 9;
  capture::HandlerLayout layout;
  layout.known = tables.jdk() < kFirstWithNumberedMethods;
  auto offset = [&](int found) {
    layout.known = layout.known && found >= 0;
    return static_cast<uintptr_t>(found);
  };
  auto flag = [&](const std::string& name) {
    std::optional<int> found = tables.constant(("ConstMethod::_" + name).c_str());
    if (!found) found = tables.constant(("ConstMethodFlags::_misc_" + name).c_str());
    layout.known = layout.known && found;
    return static_cast<uint32_t>(found.value_or(0));
  };
  layout.size = offset(tables.offset("ConstMethod", "_constMethod_size"));
  int flags = tables.offset("ConstMethod", "_flags");
  layout.flags = offset(flags >= 0 ? flags : tables.offset("ConstMethod", "_flags._flags"));
  layout.handlers = flag("has_exception_table");
  layout.generic_signature = flag("has_generic_signature");
  layout.parameters = flag("has_method_parameters");
  layout.checked_exceptions = flag("has_checked_exceptions");
  uint32_t* annotations = layout.annotations;
  for (const char* kind : {"method", "parameter", "type", "default"})
    *annotations++ = flag(std::string("has_") + kind + "_annotations");
  layout.pool_has_name_index = tables.jdk() >= kFirstWithNameIndex;
  return layout;
}

capture::AllocationLayout allocation_layout(const VmTables& tables) {
  capture::AllocationLayout layout;
  int bytes = tables.offset("Thread", "_allocated_bytes");
  int tlab = tables.offset("Thread", "_tlab");
  int start = tables.offset("ThreadLocalAllocBuffer", "_start");
  int top = tables.offset("ThreadLocalAllocBuffer", "_top");
  int end = tables.offset("ThreadLocalAllocBuffer", "_end");
  int waste_limit = tables.offset("ThreadLocalAllocBuffer", "_refill_waste_limit");
  layout.known = bytes >= 0 && tlab >= 0 && start >= 0 && top >= 0;
  if (!layout.known) return layout;
  layout.allocated_bytes = static_cast<uintptr_t>(bytes);
  layout.tlab_start = static_cast<uintptr_t>(tlab) + static_cast<uintptr_t>(start);
  layout.tlab_top = static_cast<uintptr_t>(tlab) + static_cast<uintptr_t>(top);
  layout.has_tlab_limits = end >= 0 && waste_limit >= 0;
  layout.tlab_end = static_cast<uintptr_t>(tlab) + static_cast<uintptr_t>(end);
  layout.waste_limit = static_cast<uintptr_t>(tlab) + static_cast<uintptr_t>(waste_limit);
  // The fix removed a word from the TLAB, which precedes the counter; it may be backported to older releases, too.
  constexpr int kFirstFixed = 25;
  constexpr int kFixedTlabBytes = 112;
  layout.loses_count = tables.jdk() < kFirstFixed && bytes - tlab > kFixedTlabBytes;
  constexpr int kFirstWithPointAfterwards = 17;  // for certain; some before it have one, too
  layout.forgets_point = tables.jdk() < kFirstWithPointAfterwards;
  layout.uses_tlabs = tables.boolean_flag("UseTLAB");
  // The sampler, which begins with its point, follows the counter directly from JDK 11 on (share/runtime/thread.hpp).
  layout.sample_point = layout.allocated_bytes + sizeof(uint64_t);
  return layout;
}

capture::ThreadListLayout thread_list_layout(const VmTables& tables) {
  capture::ThreadListLayout layout;
  if (const VmTables::Field* list = tables.field("ThreadsSMRSupport", "_java_thread_list")) {
    int length = tables.offset("ThreadsList", "_length");
    int threads = tables.offset("ThreadsList", "_threads");
    layout.known = list->is_static && length >= 0 && threads >= 0;
    layout.list = list->address;
    layout.length = static_cast<uintptr_t>(length);
    layout.threads = static_cast<uintptr_t>(threads);
  } else if (const VmTables::Field* first = tables.field("Threads", "_thread_list")) {
    int next = tables.offset("JavaThread", "_next");
    layout.known = first->is_static && next >= 0;
    layout.list = first->address;
    layout.is_chain = true;
    layout.next = static_cast<uintptr_t>(next);
  }
  return layout;
}

}  // namespace

capture::VmLayout VmStructs::layout(std::vector<std::string>* missing) const {
  capture::VmLayout vm;
  vm.code_cache = find_code_heaps(tables_, &vm) && find_blobs(tables_, &vm);
  vm.threads = find_threads(tables_, &vm);
  vm.methods = find_methods(tables_, &vm);
  constexpr int kFirstWithOpaqueIds = 26;  // JDK-8268406
  vm.method_ids_are_handles = tables_.jdk() < kFirstWithOpaqueIds;
  vm.scopes = find_scopes(tables_, &vm);
  vm.interpreter = find_interpreter(tables_, &vm);
  vm.entries = find_entries(tables_, &vm);
  vm.compilations = find_compilations(tables_, &vm);
  vm.classes = class_layout(tables_);
  vm.allocations = allocation_layout(tables_);
  vm.thread_list = thread_list_layout(tables_);
  vm.class_names = class_name_layout(tables_);
  vm.handlers = handler_layout(tables_);
  if (!vm.code_cache) missing->emplace_back("code cache layout");
  if (!vm.threads) missing->emplace_back("thread layout");
  if (!vm.methods) missing->emplace_back("method layout");
  if (!vm.scopes) missing->emplace_back("debug information");
  if (!vm.interpreter) missing->emplace_back("interpreter layout");
  if (!vm.entries) missing->emplace_back("call wrapper layout");
  return vm;
}

}  // namespace hearth::symbols
