#include "capture/unwind/java/code_cache.h"

#include "capture/faults/safe_load.h"

namespace hearth::capture {
namespace {

// The first eight bytes of a blob's name (a string constant of libjvm): only they identify its kind.
constexpr uint64_t name_word(const char (&text)[9]) {
  uint64_t word = 0;
  for (int i = 7; i >= 0; i--) word = word << 8 | static_cast<unsigned char>(text[i]);
  return word;
}

BlobKind kind_of(uint64_t name, uintptr_t frame_bytes) {
  switch (name) {
    case name_word("nmethod\0"):
      return BlobKind::kCompiled;
    case name_word("native n"):
      return BlobKind::kNative;
    case name_word("Interpre"):
      return BlobKind::kInterpreter;
    default:
      return frame_bytes > 0 ? BlobKind::kFramed : BlobKind::kUnframed;
  }
}

int sign_extend_16(uint32_t word) {
  return static_cast<int16_t>(word & 0xffff);
}

uintptr_t heap_of(const VmLayout& vm, uintptr_t pc) {
  for (int i = 0; i < vm.heap_count; i++) {
    uintptr_t heap = vm.heaps[i];
    if (pc >= load(heap + vm.heap_memory_low) && pc < load(heap + vm.heap_memory_high)) return heap;
  }
  return 0;
}

uint8_t load_byte(uintptr_t address) {
  uintptr_t aligned = address & ~uintptr_t{7};
  return static_cast<uint8_t>(load(aligned) >> (address - aligned) * 8);
}

// Returns the start of the block. A byte of the map is the distance back to its first segment, or less; 0 is the first,
// 0xff is free.
uintptr_t block_of(const VmLayout& vm, uintptr_t heap, uintptr_t pc) {
  uintptr_t low = load(heap + vm.heap_memory_low);
  uint32_t shift = load32(heap + vm.heap_log2_segment_size);
  if (shift > 20) return 0;
  uintptr_t map = load(heap + vm.heap_segmap_low);
  uintptr_t segment = (pc - low) >> shift;
  uint8_t back = load_byte(map + segment);
  if (back == 0xff) return 0;
  while (back > 0) {
    if (back > segment) return 0;
    segment -= back;
    back = load_byte(map + segment);
    if (back == 0xff) return 0;
  }
  return low + (segment << shift);
}

}  // namespace

bool in_code_cache(const VmLayout& vm, uintptr_t pc) {
  return pc >= vm.code_low && pc < vm.code_high;
}

bool block_is_used(const VmLayout& vm, const CodeBlob& blob) {
  return load_byte(blob.address - vm.block_size + vm.block_used) != 0;
}

CodeBlob find_blob(const VmLayout& vm, uintptr_t pc) {
  CodeBlob blob;
  if (!vm.code_cache) return blob;
  uintptr_t heap = heap_of(vm, pc);
  uintptr_t block = heap == 0 ? 0 : block_of(vm, heap, pc);
  if (block == 0 || load_byte(block + vm.block_used) == 0) return blob;
  uintptr_t address = block + vm.block_size;
  uint32_t words = load32(address + vm.blob_frame_size);
  if (words > 1 << 16) words = 0;
  blob.address = address;
  blob.frame_bytes = words * sizeof(uintptr_t);
  uint32_t complete = load32(address + vm.blob_frame_complete);
  blob.frame_complete = vm.blob_frame_complete_short ? sign_extend_16(complete) : static_cast<int>(complete);
  if (vm.blob_code_is_offset) {
    blob.code_begin = address + load32(address + vm.blob_code_begin);
    blob.code_end = address + load32(address + vm.blob_code_end);
  } else {
    blob.code_begin = load(address + vm.blob_code_begin);
    blob.code_end = load(address + vm.blob_code_end);
  }
  uint64_t name = load(load(address + vm.blob_name));
  blob.kind = kind_of(name, blob.frame_bytes);
  blob.dispatches = name == name_word("vtable c");                    // "vtable chunks" (share/code/vtableStubs.cpp)
  blob.passes_on = blob.dispatches || name == name_word("I2C/C2I ");  // "I2C/C2I adapters" (share/code/codeBlob.cpp)
  return blob;
}

namespace {

// The Symbol* of a method's name, with the one of its signature, whose index follows.
struct MethodSymbols {
  uintptr_t name;
  uintptr_t signature;
  bool operator==(const MethodSymbols& other) const { return name == other.name && signature == other.signature; }
};

MethodSymbols symbols_of(const VmLayout& vm, uintptr_t const_method) {
  uint32_t indices = load32(const_method + static_cast<uintptr_t>(vm.const_name));
  uintptr_t pool = load(const_method + vm.const_constants) + vm.pool_bytes;
  return {load(pool + (indices & 0xffff) * sizeof(uintptr_t)), load(pool + (indices >> 16) * sizeof(uintptr_t))};
}

// The id of the current version of a method of a class that was redefined: `ids` are those of the class. A version that
// others differ from has a new number, and keeps the one that it had in a field behind it (share/oops/constMethod.hpp,
// _orig_method_idnum), whose place no table of the JVM tells.
uint64_t id_of_old_version(const VmLayout& vm, uintptr_t const_method, uintptr_t ids) {
  constexpr uintptr_t kMostFields = 8;
  if (vm.const_name < 0 || vm.pool_bytes == 0) return 0;
  MethodSymbols symbols = symbols_of(vm, const_method);
  if (symbols.name < 4096 || symbols.signature < 4096) return 0;
  for (uintptr_t field = 0; field < kMostFields; field++) {
    uintptr_t number = load32(const_method + vm.const_idnum + field * sizeof(uint16_t)) & 0xffff;
    uint64_t id = number < load(ids) ? load(ids + (number + 1) * sizeof(uintptr_t)) : 0;
    if (id < 4096) continue;
    uintptr_t current = load(load(id) + vm.method_const);
    if (current >= 4096 && symbols_of(vm, current) == symbols) return id;
  }
  return 0;
}

}  // namespace

uint64_t method_id(const VmLayout& vm, uintptr_t method) {
  if (!vm.methods || method < 4096 || method % sizeof(uintptr_t) != 0) return 0;
  uintptr_t const_method = load(method + vm.method_const);
  if (const_method < 4096) return 0;
  uintptr_t holder = load(load(const_method + vm.const_constants) + vm.pool_holder);
  if (holder < 4096) return 0;
  uintptr_t ids = load(holder + vm.class_method_ids);
  if (ids < 4096) return 0;
  uintptr_t number = load32(const_method + vm.const_idnum) & 0xffff;
  // InstanceKlass::get_jmethod_id: element 0 is the length, the ids follow.
  uint64_t id = number < load(ids) ? load(ids + (number + 1) * sizeof(uintptr_t)) : 0;
  if (!vm.method_ids_are_handles) return id;
  if (id >= 4096 && load(id) == method) return id;
  return id_of_old_version(vm, const_method, ids);
}

}  // namespace hearth::capture
