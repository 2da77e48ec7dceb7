#include "capture/unwind/java/vm_walk.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "capture/faults/safe_load.h"
#include "capture/unwind/java/call_transitions.h"
#include "capture/unwind/java/code_frames.h"
#include "capture/unwind/java/compiled_scopes.h"
#include "capture/unwind/java/extra_frames.h"
#include "capture/unwind/java/interpreted_frame.h"
#include "capture/unwind/java/natives_between.h"
#include "capture/unwind/java/parked_frames.h"
#include "capture/unwind/java/passed_frames.h"
#include "capture/unwind/native/native_frames.h"

namespace hearth::capture {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);
// Bounds the time of a walk: all signals wait during it.
constexpr uint32_t kMaxPhysicalFrames = 20000;

class VmWalk {
 public:
  VmWalk(const WalkPlan& plan, const WalkStart& start, WalkScratch* scratch, StackCache* cache)
      : plan_(plan),
        vm_(plan.vm),
        interrupted_(start.registers),
        scratch_(scratch),
        thread_(plan.vm, plan.access),
        natives_(native_code(plan, thread_, false)),
        compiled_(plan.compilations ? method_in_compilation(plan.vm, thread_.address()) : 0),
        cache_(compiled_ == 0 ? cache : nullptr),
        unchanged_(cache_ != nullptr ? cache_->unchanged() : 0),
        passed_(scratch),
        count_(start.known_count),
        at_(Registers::of(start.registers)),
        called_from_java_(start.from == WalkFrom::kLastJavaFrame && goes_to_last_java_frame()) {}

  WalkResult run() {
    walk();
    if (!ended_ && !result_.joined && !result_.truncated) fail();
    push_compilation();
    result_.has_java = part_ != Part::kTop || result_.base_depth > 0;
    result_.java_frames = java_frames_;
    result_.root_missing = !ended_ && !result_.joined;
    result_.whole = !result_.root_missing && result_.lacks_none();
    result_.frame_count = count_;
    result_.checkpoint_count = passed_.count();
    return result_;
  }

 private:
  // The natives above Java, Java with its stubs and natives, natives that Java called and that call Java, the natives
  // at the root.
  enum class Part { kTop, kJava, kBetween, kRoot };

  void push(Frame frame) {
    if (count_ < kMaxFrames) scratch_->frames[count_++] = frame;
  }

  void push_java(const Frame* frames, uint32_t count) {
    if (result_.truncated || java_frames_ + count > kMaxJavaDepth) {
      result_.truncated = true;
      return;
    }
    java_frames_ += count;
    std::memcpy(scratch_->frames + count_, frames, count * sizeof(Frame));
    count_ += count;
  }

  void walk() {
    for (uint32_t i = 0; i < kMaxPhysicalFrames; i++) {
      if (place_ == FramePlace::kCaller) {
        if (hits_cache()) return;
        passed_.add(at_, java_frames_, fp_counts(at_.pc), count_);
      }
      uintptr_t sp_before = at_.sp;
      bool in_code = in_code_cache(vm_, at_.pc);
      if (in_code && part_ != Part::kRoot) part_ = Part::kJava;
      bool stepped = in_code ? step_code_frame() : step_native_frame();
      if (ended_ || !stepped) return;
      // Callers are further up, except for continuations and anchors.
      if (!is_further_out(at_.sp, sp_before, place_ == FramePlace::kInterrupted)) return;
      // Of Java code behind a signal the registers are not known.
      bool interrupted = behind_signal_ && !in_code_cache(vm_, at_.pc);
      place_ = interrupted ? FramePlace::kInterrupted : FramePlace::kCaller;
      behind_signal_ = false;
    }
    result_.truncated = true;
  }

  bool fp_counts(uintptr_t pc) const {
    return in_interpreter(vm_, pc) || pc == vm_.call_stub_return || !in_code_cache(vm_, pc);
  }

  // True if the last walk passed this frame, and everything further out is unchanged.
  bool hits_cache() {
    while (known_ > 0 && cache_->checkpoints[known_ - 1].at.sp < at_.sp) known_--;
    if (known_ == 0) return false;
    const StackCache::Checkpoint& last = cache_->checkpoints[known_ - 1];
    if (last.at.sp != at_.sp || last.at.pc != at_.pc || (last.fp_counts && last.at.fp != at_.fp)) return false;
    // A deeper stack must be truncated, so it is walked completely.
    if (java_frames_ + last.depth > plan_.java_depth) return false;
    result_.joined = true;
    result_.base_node = last.node;
    result_.base_depth = last.depth;
    result_.joined_checkpoints = known_;
    return true;
  }

  bool step_native_frame() {
    bool returned = place_ == FramePlace::kCaller;
    uintptr_t pc = at_.pc - (returned ? 1 : 0);
    bool shown = part_ != Part::kJava && plan_.native_style != NativeStyle::kNone && !plan_.hidden.has(pc);
    bool has_room = shown && (part_ == Part::kBetween ? between_.has_room() : ++native_frames_ <= kMaxNativeFrames);
    if (has_room) push(Frame::of(RawKind::kNative, pc));
    uintptr_t slot = 0;
    Registers before = at_;
    NativeStep step = step_native(natives_, &at_, returned, &slot);
    if (part_ == Part::kBetween && between_.missed(vm_, step, at_)) {
      at_ = before;
      return lose_natives() && go_to_anchor(between_.caller().sp, between_.caller().pc, between_.caller().fp);
    }
    if (step == NativeStep::kInterrupted) {
      behind_signal_ = true;
      passed_.clear();
      return true;
    }
    if (step == NativeStep::kStepped) {
      bool leads_by_fp = kReturnsByRegister || natives_.frame_pointers != FramePointers::kGuess;
      if (slot == 0) passed_.clear();
      if (slot != 0) passed_.depend_on(slot, load(slot));
      if (slot != 0 && leads_by_fp) passed_.depend_on(slot - kWord, load(slot - kWord));
      return true;
    }
    if (step == NativeStep::kGuessed) return lose_natives();
    // The natives above Java may hide the way to it; the anchor has it.
    if (part_ == Part::kTop && thread_.is_java() && thread_.anchor_sp() != 0)
      return lose_natives() && go_to_anchor(thread_.anchor_sp(), thread_.anchor_pc(), thread_.anchor_fp());
    ended_ = step == NativeStep::kEndOfStack;
    return false;
  }

  // Drops the checkpoints: a later walk could not detect a change of the skipped frames.
  bool lose_natives() {
    passed_.clear();
    result_.natives_missing |= part_ != Part::kJava && plan_.native_style != NativeStyle::kNone;
    return true;
  }

  bool goes_to_last_java_frame() {
    if (!thread_.is_java() || thread_.anchor_sp() == 0) return false;
    if (!go_to_anchor(thread_.anchor_sp(), thread_.anchor_pc(), thread_.anchor_fp())) return false;
    place_ = FramePlace::kCaller;
    return true;
  }

  bool go_to_anchor(uintptr_t sp, uintptr_t pc, uintptr_t fp) {
    pc = return_address(pc == 0 ? load(sp - kWord) : pc);
    if (!in_code_cache(vm_, pc) || sp <= at_.sp - kWord) return false;
    at_ = {pc, sp, fp};
    return true;
  }

  bool step_code_frame() {
    if (in_interpreter(vm_, at_.pc)) return step_interpreted();
    if (at_.pc == vm_.call_stub_return) return step_entry();
    if (at_.pc == vm_.continuations.return_barrier) return step_return_barrier();
    PcCache::Found found;
    bool interrupted = place_ == FramePlace::kInterrupted;
    if (plan_.pcs.find(vm_, at_.pc, interrupted, &found, scratch_->scopes)) {
      push_scopes(found.frame_count);
      return step_compiled(found.blob);
    }
    CodeBlob blob = find_blob(vm_, at_.pc);
    if (blob.kind == BlobKind::kCompiled || blob.kind == BlobKind::kNative) {
      decode(blob);
      return step_compiled(blob);
    }
    return step_stub(blob);
  }

  void decode(const CodeBlob& blob) {
    bool interrupted = place_ == FramePlace::kInterrupted;
    uintptr_t returns_to = at_.pc;
    if (!interrupted && blob.kind == BlobKind::kCompiled)
      at_.pc = pc_before_deoptimization(vm_, blob, returns_to, at_.sp);
    // Two such frames of one method may be identical in all checked words.
    if (at_.pc != returns_to) passed_.clear();
    uint32_t count = decode_scopes(vm_, blob, at_.pc, interrupted ? PcMatch::kInterrupted : PcMatch::kReturnAddress,
                                   scratch_->scopes);
    push_scopes(count);
    plan_.pcs.put(vm_, at_.pc, interrupted, blob, scratch_->scopes, count);
  }

  bool is_enter_special(uint32_t frame_count) const {
    return frame_count == 1 && vm_.continuations.enter_special != 0 &&
           scratch_->scopes[0].value == vm_.continuations.enter_special;
  }

  void push_virtual_thread() {
    uint64_t id = plan_.distinguishes_virtual_threads ? plan_.virtual_threads.note_mounted(vm_, thread_.address()) : 0;
    push(id != 0 ? Frame::of(RawKind::kVirtualThread, id) : Frame::marker(Marker::kVirtualThread));
    // Another virtual thread may have the same words on the stack.
    if (plan_.distinguishes_virtual_threads) passed_.clear();
  }

  // Pushes a compiled frame's methods; the one that runs a continuation separates the virtual thread from its carrier.
  void push_scopes(uint32_t count) {
    if (is_enter_special(count)) push_virtual_thread();
    push_java(scratch_->scopes, count);
  }

  // Steps over the barrier to which the outermost thawed frame returns: its callers are on the heap.
  bool step_return_barrier() {
    uint32_t room = kMaxJavaDepth - std::min(java_frames_, kMaxJavaDepth);
    ParkedFrames parked = read_parked_frames(vm_, &plan_.pcs, at_.sp, scratch_->frames + count_, room);
    if (!parked.found) return false;
    count_ += parked.count;
    java_frames_ += parked.count;
    if (!parked.complete) {
      result_.failure = Marker::kParkedFrames;
      push(Frame::marker(Marker::kParkedFrames));
    }
    push_virtual_thread();
    push(Frame::java(vm_.continuations.enter_special, 0, RawKind::kJava));
    java_frames_++;
    at_ = parked.carrier;
    passed_.clear();  // the heap may change without a change of a word on the stack
    return true;
  }

  bool step_compiled(const CodeBlob& blob) {
    if (step_code(vm_, blob, &at_, place_) == CodeStep::kFailed) return false;
    if (place_ == FramePlace::kCaller) {
      passed_.depend_on(at_.sp - kWord, load(at_.sp - kWord));
      if (fp_counts(at_.pc)) passed_.depend_on(at_.sp - 2 * kWord, at_.fp);
    }
    return true;
  }

  bool step_interpreted() {
    bool is_behind_stub = place_ == FramePlace::kCaller && at_.sp == stub_returns_with_sp_;
    if (is_behind_stub && step_out_of_frameless_entry(vm_, interrupted_, &at_)) {
      passed_.clear();  // the step used a register
      return true;
    }
    InterpretedFrame frame = read_interpreted_frame(vm_, at_, place_, interrupted_);
    Frame shown = Frame::marker(Marker::kUnknown);
    // An entry without a method yet.
    if (place_ == FramePlace::kInterrupted) shown = Frame::of(RawKind::kCode, at_.pc);
    if (frame.method != 0) shown = Frame::java(frame.method, frame.bci, RawKind::kInterpreted);
    push_java(&shown, 1);
    uintptr_t fp = at_.fp;
    uintptr_t sp = at_.sp;
    CodeBlob blob;
    blob.kind = BlobKind::kInterpreter;
    bool entering = place_ == FramePlace::kInterrupted && is_entering(vm_, at_, interrupted_);
    FramePlace place = entering ? FramePlace::kInterrupted : FramePlace::kCaller;
    if (step_code(vm_, blob, &at_, place) == CodeStep::kFailed) return false;
    if (entering && at_.sp == sp + kCallBytes) skip_arguments(vm_, interrupted_, &at_);
    if (place_ == FramePlace::kCaller) {
      uintptr_t bcp_slot = fp + static_cast<uintptr_t>(vm_.bcp_word) * kWord;
      for (uintptr_t slot : {fp + kWord, fp, fp - kWord, fp + kMethodWord * kWord, bcp_slot})
        passed_.depend_on(slot, load(slot));
    }
    return true;
  }

  void push_receiver() {
    uintptr_t klass = receiver_class(vm_, interrupted_);
    if (klass != 0) push(Frame::of(RawKind::kClass, klass));
  }

  // Pushes the compiled method below all natives: it changes while they stay.
  void push_compilation() {
    if (compiled_ == 0) return;
    push(Frame::java(compiled_, 0));
    passed_.clear();
  }

  // Stubs that run, or through which the thread went to native code, are frames; those further out have left no trace.
  // For a call into the JVM only the caller matters.
  bool step_stub(const CodeBlob& blob) {
    bool is_top = java_frames_ == 0 && !called_from_java_;
    if (is_top && blob.dispatches && plan_.receivers && place_ == FramePlace::kInterrupted) push_receiver();
    if (is_top) push(Frame::of(RawKind::kCode, at_.pc));
    bool is_first = place_ == FramePlace::kInterrupted;
    if (is_first && step_to_native_caller(natives_.map, &at_)) {
      part_ = Part::kTop;
      return true;
    }
    Registers before = at_;
    if (step_code(vm_, blob, &at_, place_) == CodeStep::kFailed) return false;
    if (is_first && blob.passes_on) skip_arguments(vm_, interrupted_, &at_);
    if (is_first) stub_returns_with_sp_ = at_.sp;
    // The visibility of the stub depends on frames further in: no checkpoint here, and the step's word must be known.
    if (place_ == FramePlace::kCaller) passed_.drop_last();
    if (is_top || !add_return_dependency(before)) passed_.clear();
    return true;
  }

  bool add_return_dependency(const Registers& before) {
    for (uintptr_t slot : {at_.sp - kWord, before.fp + kWord}) {
      uintptr_t word = load(slot);
      if (return_address(word) != at_.pc) continue;
      passed_.depend_on(slot, word);
      return true;
    }
    return false;
  }

  // Steps over the call stub, by which natives called into Java; the wrapper has the anchor if Java had called them.
  bool step_entry() {
    uintptr_t slot = at_.fp + static_cast<uintptr_t>(vm_.call_wrapper_word) * kWord;
    uintptr_t wrapper = load(slot);
    uintptr_t sp_at = wrapper + static_cast<uintptr_t>(vm_.wrapper_anchor_sp);
    uintptr_t sp = load(sp_at, 1);
    if (wrapper == 0 || sp == 1) return false;
    passed_.depend_on(slot, wrapper);
    passed_.depend_on(sp_at, sp);
    if (sp == 0) {
      part_ = Part::kRoot;
      natives_ = native_code(plan_, thread_, true);
      native_frames_ = 0;
    } else {
      uintptr_t pc_at = wrapper + static_cast<uintptr_t>(vm_.wrapper_anchor_pc);
      uintptr_t fp_at = wrapper + static_cast<uintptr_t>(vm_.wrapper_anchor_fp);
      uintptr_t pc = load(pc_at);
      uintptr_t fp = load(fp_at);
      passed_.depend_on(pc_at, pc);
      passed_.depend_on(fp_at, fp);
      if (pc == 0) passed_.depend_on(sp - kWord, load(sp - kWord));
      if (!plan_.natives_between) return go_to_anchor(sp, pc, fp);
      part_ = Part::kBetween;
      between_.begin({pc, sp, fp});
      natives_.last_java_sp = sp;
    }
    if (plan_.natives_between && between_.has_room()) push(Frame::of(RawKind::kCode, at_.pc));
    CodeBlob blob;
    blob.kind = BlobKind::kUnframed;
    if (step_code(vm_, blob, &at_, place_) == CodeStep::kFailed) return false;
    passed_.depend_on(at_.sp - kWord, load(at_.sp - kWord));
    passed_.depend_on(at_.sp - 2 * kWord, at_.fp);
    return true;
  }

  void fail() {
    result_.failure = part_ == Part::kTop ? Marker::kUnknownNotJava : Marker::kNotWalkableJava;
    bool above_none = part_ == Part::kTop && (!thread_.is_java() || thread_.anchor_sp() == 0);
    if (part_ == Part::kRoot || above_none) {
      result_.failure = Marker::kCount;  // only the natives at the root are missing
      return;
    }
    push(Frame::marker(result_.failure));
  }

  const WalkPlan& plan_;
  const VmLayout& vm_;
  const ucontext_t* interrupted_;
  WalkScratch* scratch_;
  CurrentJavaThread thread_;
  NativeCode natives_;
  uint64_t compiled_;  // method that this thread compiles, if it is shown
  StackCache* cache_;
  uint32_t unchanged_;
  PassedFrames passed_;
  uint32_t known_ = unchanged_;  // checkpoints of the cache that this walk may still meet
  uint32_t count_;
  uint32_t java_frames_ = 0;
  uint32_t native_frames_ = 0;
  NativesBetween between_;
  Registers at_;
  Part part_ = Part::kTop;
  FramePlace place_ = FramePlace::kInterrupted;
  bool called_from_java_;               // the walk began there
  uintptr_t stub_returns_with_sp_ = 0;  // of an interrupted stub
  bool behind_signal_ = false;          // the frame was interrupted by a signal whose handler was walked
  bool ended_ = false;                  // at the thread's root
  WalkResult result_;
};

}  // namespace

WalkResult walk_vm(const WalkPlan& plan, const WalkStart& start, WalkScratch* scratch, StackCache* cache) {
  scratch->checkpoints_overflow = false;
  return VmWalk(plan, start, scratch, cache).run();
}

}  // namespace hearth::capture
