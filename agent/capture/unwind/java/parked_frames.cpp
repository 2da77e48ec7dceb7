#include "capture/unwind/java/parked_frames.h"

#include "capture/faults/safe_load.h"
#include "capture/unwind/java/code_frames.h"
#include "capture/unwind/java/compiled_scopes.h"
#include "capture/unwind/java/interpreted_frame.h"
#include "capture/unwind/java/references.h"

namespace hearth::capture {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);
constexpr uint32_t kMostChunks = 64;
// In the ContinuationEntry, after an empty base and the parent (share/runtime/continuationEntry.hpp).
constexpr uintptr_t kContinuationAt = 2 * kWord;

// Iterates over one chunk, from its innermost frame outwards.
class ChunkWalk {
 public:
  ChunkWalk(const VmLayout& vm, PcCache* pcs, uintptr_t chunk, Frame* frames, uint32_t most)
      : vm_(vm), pcs_(pcs), frames_(frames), most_(most) {
    uintptr_t start = chunk + vm.continuations.chunk_stack;
    uintptr_t words = load32(chunk + vm.continuations.chunk_size);
    end_ = start + words * kWord;
    sp_ = start + load32(chunk + vm.continuations.chunk_sp) * kWord;
    pc_ = sp_ < end_ ? return_address(load(sp_ - kWord)) : 0;
    link_ = sp_ - 2 * kWord;
  }

  uint32_t run() {
    while (sp_ < end_ && in_code_cache(vm_, pc_)) {
      uintptr_t before = sp_;
      if (!(in_interpreter(vm_, pc_) ? step_interpreted() : step_compiled()) || sp_ <= before) break;
    }
    return count_;
  }

 private:
  // Links to interpreter frames are stored as distances, so that the chunk can be moved.
  bool step_interpreted() {
    uintptr_t fp = link_ + load(link_) * kWord;
    if (fp < sp_ || fp >= end_) return false;
    ucontext_t none;
    InterpretedFrame frame = read_interpreted_frame(vm_, {pc_, sp_, fp}, FramePlace::kCaller, &none);
    if (frame.method == 0 || count_ == most_) return false;
    frames_[count_++] = Frame::java(frame.method, frame.bci, RawKind::kInterpreted);
    pc_ = return_address(load(fp + kWord));
    sp_ = sender_sp_of(fp);
    link_ = fp;
    return true;
  }

  // Behind the locals, or on aarch64, which aligns them, as the frame records.
  uintptr_t sender_sp_of(uintptr_t fp) const {
    if (kReturnsByRegister) return fp + load(fp - kWord) * kWord;
    return fp + (load(fp + static_cast<uintptr_t>(vm_.locals_word) * kWord) + 1) * kWord;
  }

  bool step_compiled() {
    if (most_ - count_ < kMaxScopes) return false;
    PcCache::Found known;
    if (!pcs_->find(vm_, pc_, false, &known, frames_ + count_)) {
      known.blob = find_blob(vm_, pc_);
      if (known.blob.kind == BlobKind::kCompiled || known.blob.kind == BlobKind::kNative) {
        decode(&known);
      } else if (known.blob.kind != BlobKind::kFramed) {
        return false;
      }
    }
    count_ += known.frame_count;
    sp_ += known.blob.frame_bytes;
    pc_ = return_address(load(sp_ - kWord));
    link_ = sp_ - 2 * kWord;
    return true;
  }

  void decode(PcCache::Found* found) {
    Frame* frames = frames_ + count_;
    uintptr_t pc = pc_before_deoptimization(vm_, found->blob, pc_, sp_);
    found->frame_count = decode_scopes(vm_, found->blob, pc, PcMatch::kReturnAddress, frames);
    pcs_->put(vm_, pc, false, found->blob, frames, found->frame_count);
  }

  const VmLayout& vm_;
  PcCache* pcs_;
  Frame* frames_;
  uint32_t most_;
  uint32_t count_ = 0;
  uintptr_t end_;
  uintptr_t sp_;
  uintptr_t pc_;
  uintptr_t link_;  // address of the caller's fp, if that is an interpreter's
};

// Finds the entry, which follows the outermost thawed frame and its stack arguments. Above it is the frame of
// Continuation.enterSpecial, which returns to Java.
uintptr_t find_entry(const VmLayout& vm, uintptr_t thawed_sp) {
  constexpr int kMostArguments = 32;
  for (int i = 0; i < kMostArguments; i++) {
    uintptr_t entry = thawed_sp + static_cast<uintptr_t>(i) * kWord;
    uintptr_t returns_to = return_address(load(entry + vm.continuations.entry_size + kWord));
    if (in_code_cache(vm, returns_to) && may_return_to(vm, returns_to)) return entry;
  }
  return 0;
}

}  // namespace

ParkedFrames read_parked_frames(const VmLayout& vm, PcCache* pcs, uintptr_t thawed_sp, Frame* frames, uint32_t most) {
  ParkedFrames result;
  uintptr_t entry = find_entry(vm, thawed_sp);
  if (entry == 0) return result;
  result.found = true;
  uintptr_t behind = entry + vm.continuations.entry_size;
  result.carrier = {return_address(load(behind + kWord)), behind + 2 * kWord, load(behind)};
  if (!vm.continuations.known) return result;
  uintptr_t chunk = load_reference(vm, load(entry + kContinuationAt) + vm.continuations.continuation_tail);
  for (uint32_t i = 0; i < kMostChunks && chunk != 0; i++) {
    result.count += ChunkWalk(vm, pcs, chunk, frames + result.count, most - result.count).run();
    chunk = load_reference(vm, chunk + vm.continuations.chunk_parent);
  }
  result.complete = chunk == 0 && result.count > 0;
  return result;
}

}  // namespace hearth::capture
