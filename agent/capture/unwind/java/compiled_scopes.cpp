#include "capture/unwind/java/compiled_scopes.h"

#include <algorithm>

#include "capture/faults/safe_load.h"

namespace hearth::capture {
namespace {

// PcDesc: four ints (share/code/pcDesc.hpp).
constexpr uintptr_t kPcDescBytes = 16;
constexpr uintptr_t kScopeAt = 4;
constexpr uint32_t kNoScope = 0;  // DebugInformationRecorder::serialized_null
constexpr int kUnknownBci = -1;
constexpr int kInvocationEntryBci = -1;  // also of the entry, before the first bytecode
constexpr int kNativeBci = -3;           // as in AsyncGetCallTrace

uintptr_t address_of(const CodeBlob& blob, const NmethodTable& table) {
  uintptr_t base = table.base < 0 ? blob.address : load(blob.address + static_cast<uintptr_t>(table.base));
  if (table.offset < 0) return base;
  return base + load32(blob.address + static_cast<uintptr_t>(table.offset));
}

uint8_t byte_at(uintptr_t address) {
  return static_cast<uint8_t>(load32(address) & 0xff);
}

// HotSpot's compressed ints: up to five bytes, least significant first; a byte below kLow ends the number.
class CompressedInts {
 public:
  CompressedInts(uintptr_t at, uint32_t excluded) : at_(at), excluded_(excluded) {}

  uint32_t next() {
    constexpr int kBits = 6;
    constexpr int kMostBytes = 5;
    uint32_t low = 256 - excluded_ - (1 << kBits);
    uint32_t sum = 0;
    for (int i = 0; i < kMostBytes; i++) {
      uint32_t digit = byte_at(at_++) - excluded_;
      sum += digit << (kBits * i);
      if (digit < low) break;
    }
    return sum;
  }

 private:
  uintptr_t at_;
  uint32_t excluded_;
};

// Returns the record at `offset`, or the first after it. Records are sorted; the first and the last are sentinels.
uintptr_t find_record(uintptr_t begin, uintptr_t end, uint32_t offset) {
  uintptr_t low = 0;
  uintptr_t high = (end - begin) / kPcDescBytes;
  while (low < high) {
    uintptr_t middle = low + (high - low) / 2;
    if (static_cast<int32_t>(load32(begin + middle * kPcDescBytes)) < static_cast<int32_t>(offset)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return begin + low * kPcDescBytes;
}

// Returns the offset of the scopes of `pc` in the nmethod's stream; kNoScope if there is no record.
uint32_t scope_at(const VmLayout& vm, const CodeBlob& blob, uintptr_t pc, PcMatch match) {
  uintptr_t begin = address_of(blob, vm.scopes_pcs);
  uintptr_t end = address_of(blob, vm.scopes_pcs_end);
  constexpr uintptr_t kMostBytes = 64 << 20;
  if (end <= begin || end - begin > kMostBytes) return kNoScope;
  // A record is at the end of the instruction that it describes.
  auto offset = static_cast<uint32_t>(pc - blob.code_begin) + (match == PcMatch::kInterrupted ? 1 : 0);
  uintptr_t record = find_record(begin, end, offset);
  return record < end ? load32(record + kScopeAt) : kNoScope;
}

RawKind kind_of(const VmLayout& vm, const CodeBlob& blob) {
  constexpr uint32_t kFullOptimization = 4;  // CompLevel, share/compiler/compilerDefinitions.hpp
  uint32_t level = load32(blob.address + static_cast<uintptr_t>(vm.nmethod_comp_level)) & 0xff;
  return level >= kFullOptimization ? RawKind::kCompiledC2 : RawKind::kCompiledC1;
}

// A wrapper of a method that the JVM generated for MethodHandle (linkToStatic…) has no jmethodID, and a constant pool
// of its own: the names in that are vmSymbols, never freed (share/oops/method.cpp, make_method_handle_intrinsic).
uintptr_t linker_name(const VmLayout& vm, uintptr_t method) {
  if (vm.const_name < 0 || vm.pool_bytes == 0 || vm.class_constants < 0) return 0;
  uintptr_t const_method = load(method + static_cast<uintptr_t>(vm.method_const));
  uintptr_t pool = load(const_method + static_cast<uintptr_t>(vm.const_constants));
  uintptr_t holder = load(pool + static_cast<uintptr_t>(vm.pool_holder));
  if (pool == 0 || load(holder + static_cast<uintptr_t>(vm.class_constants), pool) == pool) return 0;
  uintptr_t index = load32(const_method + static_cast<uintptr_t>(vm.const_name)) & 0xffff;
  return load(pool + vm.pool_bytes + index * sizeof(uintptr_t));
}

uint32_t method_alone(const VmLayout& vm, const CodeBlob& blob, int bci, RawKind kind, Frame* frames) {
  uintptr_t method = load(blob.address + static_cast<uintptr_t>(vm.nmethod_method));
  uintptr_t linker = blob.kind == BlobKind::kNative ? linker_name(vm, method) : 0;
  if (linker != 0) {
    frames[0] = Frame::of(RawKind::kLinker, linker);
    return 1;
  }
  uint64_t id = method_id(vm, method);
  frames[0] = id != 0 ? Frame::java(id, bci, kind) : Frame::marker(Marker::kUnknown);
  return 1;
}

}  // namespace

uint32_t decode_scopes(const VmLayout& vm, const CodeBlob& blob, uintptr_t pc, PcMatch match, Frame* frames) {
  if (blob.kind == BlobKind::kNative) return method_alone(vm, blob, kNativeBci, RawKind::kJava, frames);
  RawKind kind = kind_of(vm, blob);
  uint32_t scope = scope_at(vm, blob, pc, match);
  uintptr_t stream = address_of(blob, vm.scopes_data);
  uintptr_t metadata = address_of(blob, vm.metadata);
  uint32_t count = 0;
  while (scope != kNoScope && count < kMaxScopes) {
    CompressedInts ints(stream + scope, vm.excluded_bytes);
    uint32_t sender = ints.next();
    uint32_t method = ints.next();
    int bci = std::max(static_cast<int>(ints.next()) + kInvocationEntryBci, 0);
    // Handles are numbered from 1, 0 is null.
    uint64_t id = method == 0 ? 0 : method_id(vm, load(metadata + (method - 1) * sizeof(uintptr_t)));
    if (id == 0) return method_alone(vm, blob, kUnknownBci, kind, frames);
    bool inlined = sender != kNoScope;
    frames[count++] = Frame::java(id, bci, inlined ? RawKind::kInlined : kind);
    if (sender >= scope) break;  // callers are recorded before their callees
    scope = sender;
  }
  return count > 0 ? count : method_alone(vm, blob, kUnknownBci, kind, frames);
}

bool is_deoptimized(const VmLayout& vm, const CodeBlob& blob, uintptr_t pc) {
  return pc == address_of(blob, vm.deopt_handler) || pc == address_of(blob, vm.deopt_mh_handler);
}

uintptr_t pc_before_deoptimization(const VmLayout& vm, const CodeBlob& blob, uintptr_t pc, uintptr_t sp) {
  if (!is_deoptimized(vm, blob, pc)) return pc;
  return load(sp + load32(blob.address + static_cast<uintptr_t>(vm.nmethod_orig_pc)), pc);
}

}  // namespace hearth::capture
