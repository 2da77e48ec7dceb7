#include "capture/unwind/java/agct_walk.h"

#include <cstring>
#include <initializer_list>

#include "capture/arch/machine_code.h"
#include "capture/faults/safe_load.h"
#include "capture/unwind/java/code_frames.h"
#include "capture/unwind/native/native_frames.h"

namespace hearth::capture {
namespace {

constexpr int kMaxStubs = 6;               // stubs and unbuilt frames to step over before AsyncGetCallTrace
constexpr int kMaxPhysicalFrames = 20000;  // a longer walk is in a cycle

Marker marker_of(int reason) {
  switch (reason) {
    case -1:
      return Marker::kNoClassLoad;
    case -2:
      return Marker::kGcActive;
    case -3:
      return Marker::kUnknownNotJava;
    case -4:
      return Marker::kNotWalkableNotJava;
    case -5:
      return Marker::kUnknownJava;
    case -6:
      return Marker::kNotWalkableJava;
    case -8:
      return Marker::kThreadExit;
    case -9:
      return Marker::kDeoptimization;
    case CurrentJavaThread::kFaulted:
      return Marker::kFault;
    default:
      return Marker::kNoJavaFrame;
  }
}

class AgctWalk {
 public:
  AgctWalk(const WalkPlan& plan, const WalkStart& start, WalkScratch* scratch, RootCache* cache)
      : plan_(plan),
        interrupted_(start.registers),
        scratch_(scratch),
        cache_(cache),
        count_(start.known_count),
        thread_(plan.vm, plan.access),
        at_(Registers::of(start.registers)),
        called_from_java_(start.from == WalkFrom::kLastJavaFrame && thread_.is_java() && thread_.anchor_sp() != 0) {}

  WalkResult run() {
    if (!called_from_java_) walk_top_natives();
    find_first_java_frame();
    if (thread_.is_java() && (in_code_ || thread_.anchor_sp() != 0)) {
      result_.has_java = true;
      walk_java();
      walk_roots();
      append_roots();
    } else if (in_code_) {
      result_.has_java = true;
      fail(Marker::kNoJavaFrame);
    }
    result_.root_missing = !reached_root_;
    result_.whole =
        reached_root_ && !result_.natives_missing && result_.failure == Marker::kCount && !result_.truncated;
    result_.frame_count = count_;
    return result_;
  }

 private:
  void push(Frame frame) {
    if (count_ < kMaxFrames) scratch_->frames[count_++] = frame;
  }

  void fail(Marker why) {
    result_.failure = why;
    push(Frame::marker(why));
  }

  void lose_natives() { result_.natives_missing |= plan_.native_style != NativeStyle::kNone; }

  // Pushes native frames until Java code or the root is reached, or the walk fails.
  void walk_top_natives() {
    NativeCode natives = native_code(plan_, thread_, false);
    bool returned = false;
    for (uint32_t i = 0; i < kMaxNativeFrames; i++) {
      if (in_code_cache(plan_.vm, at_.pc)) {
        in_code_ = true;
        interrupted_in_code_ = i == 0;
        return;
      }
      uintptr_t pc = at_.pc - (returned ? 1 : 0);
      bool is_shown = plan_.native_style != NativeStyle::kNone && !plan_.hidden.has(pc);
      if (is_shown) push(Frame::of(RawKind::kNative, pc));
      NativeStep step = step_native(natives, &at_, returned);
      if (step == NativeStep::kGuessed) lose_natives();
      if (!has_stepped(step) && step != NativeStep::kGuessed) {
        reached_root_ = step == NativeStep::kEndOfStack;
        if (!reached_root_ && thread_.is_java() && thread_.anchor_sp() != 0) lose_natives();
        return;
      }
      returned = step != NativeStep::kInterrupted;
    }
  }

  // Steps over stubs, which become frames, to the first frame at which AsyncGetCallTrace can start.
  void find_first_java_frame() {
    if (!in_code_) return;
    place_ = interrupted_in_code_ ? FramePlace::kInterrupted : FramePlace::kCaller;
    for (int i = 0; i < kMaxStubs; i++) {
      blob_ = find_blob(plan_.vm, at_.pc);
      bool is_stub = blob_.kind == BlobKind::kFramed || blob_.kind == BlobKind::kUnframed;
      if (!is_stub || at_.pc == plan_.vm.call_stub_return) break;
      Registers caller = at_;
      if (step_code(plan_.vm, blob_, &caller, place_) != CodeStep::kStepped) break;
      push(Frame::of(RawKind::kCode, at_.pc));
      at_ = caller;
      place_ = FramePlace::kCaller;
    }
    // AsyncGetCallTrace would take a frame with pushed words for an invalid one, or for another.
    if (place_ == FramePlace::kInterrupted && blob_.kind == BlobKind::kCompiled &&
        frame_state(blob_, at_.pc) == FrameState::kBuilt)
      at_.sp += pushed_words(plan_.vm, blob_, at_) * sizeof(uintptr_t);
  }

  // AsyncGetCallTrace takes every pc for an interrupted one, and searches for the record after it.
  static Registers as_interrupted(Registers from, FramePlace place) {
    if (place == FramePlace::kCaller) from.pc--;
    return from;
  }

  int ask(const Registers& from, FramePlace place) {
    return thread_.call_trace(interrupted_, as_interrupted(from, place), &scratch_->context, scratch_->java, depth());
  }

  // Outside of Java the JVM uses the thread's anchor only. If that has no pc or is invalid, the frame that the walk
  // found serves as one.
  int ask_from_found_frame(const Registers& from, FramePlace place) {
    if (thread_.state() != kThreadInVm) return ask(from, place);
    return thread_.call_trace_from_anchor(interrupted_, as_interrupted(from, place), &scratch_->context, scratch_->java,
                                          depth());
  }

  int depth() const { return static_cast<int>(plan_.java_depth); }

  bool anchor_is_walkable() const { return thread_.anchor_sp() != 0 && thread_.anchor_pc() != 0; }

  // Goes outwards frame by frame, keeping the frames, until AsyncGetCallTrace accepts one.
  int ask_further_out() {
    Registers from = at_;
    CodeBlob blob = blob_;
    FramePlace place = place_;
    uint32_t kept = count_;
    for (int i = 0; i < kMaxStubs; i++) {
      Registers left = from;
      if (step_code(plan_.vm, blob, &from, place) != CodeStep::kStepped) break;
      push(frame_of_blob(blob, left));
      blob = find_blob(plan_.vm, from.pc);
      place = FramePlace::kCaller;
      int count = ask_from_found_frame(from, place);
      if (count > 0) return count;
    }
    count_ = kept;
    return -5;
  }

  Frame frame_of_blob(const CodeBlob& blob, const Registers& frame) const {
    uintptr_t method = 0;
    if (blob.kind == BlobKind::kCompiled || blob.kind == BlobKind::kNative) {
      method = load(blob.address + plan_.vm.nmethod_method);
    } else if (blob.kind == BlobKind::kInterpreter) {
      method = load(frame.fp - 3 * sizeof(uintptr_t));
    }
    uint64_t id = method != 0 ? method_id(plan_.vm, method) : 0;
    constexpr int kUnknownBci = -1;
    return id != 0 ? Frame::java(id, kUnknownBci) : Frame::of(RawKind::kCode, frame.pc);
  }

  void walk_java() {
    int count = in_code_ && !anchor_is_walkable() ? ask_from_found_frame(at_, place_) : ask(at_, place_);
    int first_reason = count;
    if (count <= 0 && in_code_) {
      count = ask_further_out();
      result_.recovered = count > 0;
    }
    if (count <= 0) {
      fail(marker_of(first_reason));
      return;
    }
    for (int i = 0; i < count; i++) {
      const CallFrame& frame = scratch_->java[i];
      push(frame.method != nullptr ? Frame::java(reinterpret_cast<uint64_t>(frame.method), frame.bci)
                                   : Frame::marker(Marker::kUnknown));
    }
    if (static_cast<uint32_t>(count) >= plan_.java_depth) {
      result_.truncated = true;
      push(Frame::marker(Marker::kTruncated));
    }
  }

  // Steps over all frames from the first Java frame outwards and keeps the natives behind the last entry into Java, up
  // to a frame that the last walk passed.
  void walk_roots() {
    reached_root_ = false;
    NativeCode natives = native_code(plan_, thread_, true);
    Registers at = start_of_roots();
    FramePlace place = in_code_ ? place_ : FramePlace::kCaller;
    bool returned = true;
    for (int i = 0; i < kMaxPhysicalFrames; i++) {
      Registers before = at;
      CodeBlob blob = find_blob(plan_.vm, at.pc);
      if (blob.kind != BlobKind::kNone) {
        roots_ = 0;
        if (step_code(plan_.vm, blob, &at, place) == CodeStep::kFailed) return;
        place = FramePlace::kCaller;
      } else {
        if (roots_ < kMaxRootFrames) scratch_->roots[roots_++] = Frame::of(RawKind::kNative, at.pc - 1);
        NativeStep step = step_native(natives, &at, returned);
        if (step == NativeStep::kGuessed) lose_natives();
        returned = step != NativeStep::kInterrupted;
        if (!has_stepped(step) && step != NativeStep::kGuessed) {
          reached_root_ = step == NativeStep::kEndOfStack;
          if (reached_root_) remember();
          return;
        }
      }
      if (passes_known_place(before, at)) return;
    }
  }

  // Finds the word from which the step read its return address. False also if that is uncertain.
  static bool return_slot(const Registers& before, const Registers& after, RootCache::Slot* slot) {
    for (uintptr_t address : {after.sp - sizeof(uintptr_t), before.fp + sizeof(uintptr_t)}) {
      *slot = {address, after.pc};
      if (return_address(load(address)) == after.pc) return true;
    }
    return false;
  }

  bool passes_known_place(const Registers& before, const Registers& after) {
    RootCache::Slot slot;
    if (!return_slot(before, after, &slot)) return false;
    while (known_ < cache_->slot_count && cache_->slots[known_].address < slot.address) known_++;
    bool known = known_ < cache_->slot_count && cache_->slots[known_].address == slot.address;
    if (!known || !unchanged_from(known_)) {
      if (passed_ < RootCache::kSlots) scratch_->passed[passed_] = slot;
      passed_++;
      return false;
    }
    reached_root_ = true;
    uint32_t rest = cache_->slot_count - known_;
    roots_ = cache_->root_count;
    std::memcpy(scratch_->roots, cache_->roots, roots_ * sizeof(Frame));
    if (passed_ + rest > RootCache::kSlots) {
      cache_->slot_count = 0;
      return true;
    }
    std::memmove(cache_->slots + passed_, cache_->slots + known_, rest * sizeof(RootCache::Slot));
    std::memcpy(cache_->slots, scratch_->passed, passed_ * sizeof(RootCache::Slot));
    cache_->slot_count = passed_ + rest;
    return true;
  }

  bool unchanged_from(uint32_t first) const {
    for (uint32_t i = first; i < cache_->slot_count; i++) {
      if (load(cache_->slots[i].address) != cache_->slots[i].pc) return false;
    }
    return true;
  }

  void remember() {
    bool fits = passed_ <= RootCache::kSlots && roots_ <= RootCache::kRoots;
    cache_->slot_count = fits ? passed_ : 0;
    cache_->root_count = fits ? roots_ : 0;
    cache_->outermost_method = 0;
    if (!fits) return;
    std::memcpy(cache_->slots, scratch_->passed, passed_ * sizeof(RootCache::Slot));
    std::memcpy(cache_->roots, scratch_->roots, roots_ * sizeof(Frame));
  }

  // Returns the thread's anchor if natives hide the way to Java.
  Registers start_of_roots() const {
    if (in_code_) return at_;
    uintptr_t sp = thread_.anchor_sp();
    uintptr_t pc = thread_.anchor_pc();
    return {pc != 0 ? pc : load(sp - sizeof(uintptr_t)), sp, thread_.anchor_fp()};
  }

  void append_roots() {
    if (!reached_root_) return;
    if (plan_.native_style == NativeStyle::kNone) return;
    for (uint32_t i = 0; i < roots_; i++) push(scratch_->roots[i]);
    result_.root_count = roots_;
  }

  const WalkPlan& plan_;
  const ucontext_t* interrupted_;
  WalkScratch* scratch_;
  RootCache* cache_;
  uint32_t count_;
  CurrentJavaThread thread_;
  Registers at_;  // the current frame
  bool called_from_java_;
  CodeBlob blob_;  // of at_, in the code cache
  bool in_code_ = false;
  bool interrupted_in_code_ = false;
  FramePlace place_ = FramePlace::kCaller;  // of at_
  bool reached_root_ = false;
  uint32_t roots_ = 0;
  uint32_t passed_ = 0;  // return addresses in this walk
  uint32_t known_ = 0;   // index of the next slot of the cache that this walk may meet
  WalkResult result_;
};

// A Java thread nearly always has the same natives at its root: if the walk did not reach them from the same outermost
// Java method as last time, the cached natives are used.
uint32_t complete_roots(RootCache* cache, const WalkResult& result, WalkScratch* scratch) {
  uint32_t count = result.frame_count;
  if (!result.has_java || result.failure != Marker::kCount || result.truncated || count == result.root_count)
    return count;
  uint64_t outermost = scratch->frames[count - result.root_count - 1].value;
  if (!result.root_missing) {
    cache->outermost_method = outermost;
    return count;
  }
  if (cache->outermost_method != outermost || count + cache->root_count > kMaxFrames) return count;
  std::memcpy(scratch->frames + count, cache->roots, cache->root_count * sizeof(Frame));
  return count + cache->root_count;
}

}  // namespace

WalkResult walk_agct(const WalkPlan& plan, const WalkStart& start, WalkScratch* scratch, RootCache* cache) {
  WalkResult result = AgctWalk(plan, start, scratch, cache).run();
  result.frame_count = complete_roots(cache, result, scratch);
  return result;
}

}  // namespace hearth::capture
