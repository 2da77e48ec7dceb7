#include "capture/unwind/java/code_frames.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace hearth::capture {
namespace {

using Bytes = std::vector<uint8_t>;

// One code heap in ordinary memory, with the fields that step_code reads.
class CodeCache {
 public:
  CodeCache(const CodeCache&) = delete;
  CodeCache() {
    vm_.code_cache = true;
    vm_.heaps[0] = reinterpret_cast<uintptr_t>(&heap_);
    vm_.heap_count = 1;
    vm_.heap_memory_low = offsetof(Heap, low);
    vm_.heap_memory_high = offsetof(Heap, high);
    vm_.heap_segmap_low = offsetof(Heap, map);
    vm_.heap_log2_segment_size = offsetof(Heap, shift);
    vm_.block_used = offsetof(Block, used);
    vm_.block_size = offsetof(Block, name);
    auto field = [](size_t offset) { return static_cast<int>(offset - offsetof(Block, name)); };
    vm_.blob_name = field(offsetof(Block, name));
    vm_.blob_frame_size = field(offsetof(Block, frame_words));
    vm_.blob_frame_complete = field(offsetof(Block, frame_complete));
    vm_.blob_code_begin = field(offsetof(Block, code_begin));
    vm_.blob_code_end = field(offsetof(Block, code_end));
    vm_.code_low = heap_.low = reinterpret_cast<uintptr_t>(memory_.data());
    vm_.code_high = heap_.high = heap_.low + sizeof memory_;
    heap_.map = reinterpret_cast<uintptr_t>(map_.data());
    map_.fill(0xff);
  }

  const VmLayout& vm() const { return vm_; }

  // Returns where the code begins.
  uintptr_t add(const char* kind, const Bytes& code, int frame_words, size_t frame_complete) {
    Block* block = &memory_[used_];
    map_[used_++] = 0;
    *block = {true, kind, frame_words, static_cast<int>(frame_complete), 0, 0, {}};
    std::copy(code.begin(), code.end(), block->code);
    block->code_begin = reinterpret_cast<uintptr_t>(block->code);
    block->code_end = block->code_begin + code.size();
    return block->code_begin;
  }

 private:
  static constexpr int kShift = 9;
  struct Block {
    uint64_t used;
    alignas(16) const char* name;
    int frame_words;
    int frame_complete;
    uintptr_t code_begin;
    uintptr_t code_end;
    uint8_t code[(1 << kShift) - 48];
  };
  static_assert(sizeof(Block) == 1 << kShift);
  struct Heap {
    uintptr_t low, high, map;
    int shift = kShift;
  };
  Heap heap_{};
  std::array<Block, 4> memory_{};
  std::array<uint8_t, 8> map_{};
  size_t used_ = 0;
  VmLayout vm_;
};

enum Frame { kNone, kSaved, kReserved, kBuilt };

struct Instruction {
  Frame before;  // how far the frame exists when it is about to run
  Bytes bytes;
};

// A method as a compiler writes it.
struct Shape {
  const char* what;
  int frame_words;
  size_t prologue;  // instructions up to where the JVM calls the frame complete
  std::vector<Instruction> code;
  const char* kind = "nmethod";
};

const Bytes kCheckClass = {0x44, 0x8b, 0x56, 0x08, 0x4c, 0x3b, 0xd0};       // mov r10d,[rsi+8]; cmp r10,rax
const Bytes kTouch = {0x89, 0x84, 0x24, 0x00, 0xc0, 0xfe, 0xff};            // mov [rsp-0x14000],eax
const Bytes kBarrier = {0x41, 0x81, 0x7f, 0x20, 1, 0, 0, 0};                // cmp dword [r15+0x20],1
const Bytes kToBarrier = {0x0f, 0x85, 0x33, 0, 0, 0};                       // jne
const Bytes kCallBarrier = {0xe8, 0x10, 0, 0, 0};                           // call
const Bytes kWork = {0xc5, 0xfb, 0x2a, 0x46, 0x0c};                         // vcvtsi2sd xmm0,xmm0,[rsi+12]
const Bytes kPush = {0x55}, kPop = {0x5d}, kRet = {0xc3}, kLeave = {0xc9};  // push rbp; pop rbp; ret; leave
const Bytes kCopy = {0x48, 0x8b, 0xec};                                     // mov rbp,rsp
const Bytes kReserve = {0x48, 0x81, 0xec, 0x18, 0, 0, 0};                   // sub rsp,0x18
const Bytes kReserveSmall = {0x48, 0x83, 0xec, 0x10};                       // sub rsp,0x10
const Bytes kReserveLarge = {0x48, 0x81, 0xec, 0xc0, 0, 0, 0};              // sub rsp,0xc0
const Bytes kStore = {0x48, 0x89, 0x6c, 0x24, 0x10};                        // mov [rsp+0x10],rbp
const Bytes kAdd = {0x48, 0x83, 0xc4, 0x10};                                // add rsp,0x10
const Bytes kAddLarge = {0x48, 0x81, 0xc4, 0xc0, 0, 0, 0};                  // add rsp,0xc0
const Bytes kPoll = {0x49, 0x3b, 0xa7, 0x40, 3, 0, 0};                      // cmp rsp,[r15+0x340]
const Bytes kShortPoll = {0x49, 0x3b, 0x67, 0x28};                          // cmp rsp,[r15+0x28]
const Bytes kToSafepoint = {0x0f, 0x87, 1, 0, 0, 0};                        // ja
const Bytes kSetPollPc = {0x49, 0xba, 1, 2, 3, 4, 5, 6, 7, 8};              // mov r10,imm64
const Bytes kStorePollPc = {0x4d, 0x89, 0x97, 0x58, 3, 0, 0};               // mov [r15+0x358],r10
const Bytes kJump = {0xe9, 1, 2, 3, 0};                                     // jmp
const Bytes kLoadPage = {0x4d, 0x8b, 0x97, 8, 1, 0, 0};                     // mov r10,[r15+0x108]
const Bytes kTestPage = {0x41, 0x85, 0x02};                                 // test [r10],eax
const Bytes kTestNearPage = {0x85, 0x05, 1, 2, 3, 4};                       // test [rip+d32],eax

const std::vector<Shape> kShapes = {
    {"C2, leaf",
     4,
     3,
     {{kNone, kCheckClass},
      {kNone, kReserve},
      {kReserved, kStore},
      {kBuilt, kWork},
      {kBuilt, kAdd},
      {kSaved, kPop},
      {kNone, kPoll},
      {kNone, kToSafepoint},
      {kNone, kRet},
      {kNone, kSetPollPc},
      {kNone, kStorePollPc},
      {kNone, kJump}}},
    {"C2, smallest leaf",
     2,
     2,
     {{kNone, {0x48, 0x81, 0xec, 8, 0, 0, 0}},
      {kReserved, {0x48, 0x89, 0x2c, 0x24}},
      {kBuilt, kWork},
      {kSaved, kPop},
      {kNone, kTestNearPage},
      {kNone, kRet}}},
    {"C2, leaf with a barrier that calls at once",
     4,
     6,
     {{kNone, kCheckClass},
      {kNone, kReserve},
      {kReserved, kStore},
      {kBuilt, kBarrier},
      {kBuilt, kToBarrier},
      {kBuilt, kCallBarrier},
      {kBuilt, kWork},
      {kBuilt, kAdd},
      {kSaved, kPop},
      {kNone, kShortPoll},
      {kNone, kToSafepoint},
      {kNone, kRet}}},
    {"C2, leaf with frame pointer and barrier",
     4,
     7,
     {{kNone, kCheckClass},
      {kNone, kReserve},
      {kReserved, kStore},
      {kBuilt, kCopy},
      {kBuilt, {0x48, 0x83, 0xc5, 0x10}},
      {kBuilt, kBarrier},
      {kBuilt, kToBarrier},
      {kBuilt, kWork}}},
    {"C1, or C2 with calls",
     4,
     3,
     {{kNone, kTouch},
      {kNone, kPush},
      {kSaved, kReserveSmall},
      {kBuilt, kWork},
      {kBuilt, kAdd},
      {kSaved, kPop},
      {kNone, kLoadPage},
      {kNone, kTestPage},
      {kNone, kRet}}},
    {"large frame with frame pointer and barrier",
     26,
     6,
     {{kNone, kTouch},
      {kNone, kPush},
      {kSaved, kCopy},
      {kSaved, kReserveLarge},
      {kBuilt, kBarrier},
      {kBuilt, kToBarrier},
      {kBuilt, kWork},
      {kBuilt, kAddLarge},
      {kSaved, kPop},
      {kNone, kSetPollPc},
      {kNone, kTestPage},
      {kNone, kRet}}},
    {"no words of its own",
     2,
     4,
     {{kNone, kTouch}, {kNone, kPush}, {kBuilt, kBarrier}, {kBuilt, kToBarrier}, {kBuilt, kWork}, {kSaved, kPop}}},
    {"native wrapper",
     26,
     4,
     {{kNone, kTouch},
      {kNone, kPush},
      {kSaved, kCopy},
      {kSaved, kReserveLarge},
      {kBuilt, kWork},
      {kBuilt, {0x33, 0xc9}},
      {kBuilt, kLeave},
      {kNone, {0x49, 0x83, 0x7f, 8, 0}},
      {kNone, {0x0f, 0x85, 1, 2, 3, 0}},
      {kNone, kRet}},
     "native nmethod"},
};

constexpr uintptr_t kCallersFp = 0x123456789;
constexpr size_t kReturnSlot = 64;

// A stack in which every word is a return address of an earlier call, as far as this one has not written it.
Registers interrupted(std::vector<uintptr_t>* stack, const Shape& shape, Frame frame, uintptr_t pc, uintptr_t returns) {
  uintptr_t* slot = stack->data() + kReturnSlot;
  *slot = returns;
  if (frame == kSaved || frame == kBuilt) slot[-1] = kCallersFp;
  uintptr_t* sp = frame == kNone ? slot : frame == kSaved ? slot - 1 : slot + 1 - shape.frame_words;
  return {pc, reinterpret_cast<uintptr_t>(sp), frame == kBuilt ? 0x77 : kCallersFp};
}

TEST(CodeFrames, TheCallerIsFoundFromEveryInstruction) {
  const Bytes call = {0x90, 0x90, 0xe8, 0, 0, 0, 0, 0x90, 0x90};
  constexpr uintptr_t kBehind = 7;
  for (const Shape& shape : kShapes) {
    CodeCache code;
    uintptr_t returns = code.add("nmethod", call, 4, 0) + kBehind;
    uintptr_t stale = code.add("nmethod", call, 4, 0) + kBehind;
    Bytes bytes;
    size_t complete = 0;
    for (size_t i = 0; i < shape.code.size(); i++) {
      if (i == shape.prologue) complete = bytes.size();
      bytes.insert(bytes.end(), shape.code[i].bytes.begin(), shape.code[i].bytes.end());
    }
    uintptr_t pc = code.add(shape.kind, bytes, shape.frame_words, complete);
    for (size_t i = 0; i < shape.code.size(); i++) {
      std::vector<uintptr_t> stack(2 * kReturnSlot, stale);
      Registers at = interrupted(&stack, shape, shape.code[i].before, pc, returns);
      std::string where = std::string(shape.what) + ", instruction " + std::to_string(i);
      CodeStep step = step_code(code.vm(), find_blob(code.vm(), pc), &at, FramePlace::kInterrupted);
      EXPECT_EQ(step, CodeStep::kStepped) << where;
      EXPECT_EQ(at.pc, returns) << where;
      EXPECT_EQ(at.sp, reinterpret_cast<uintptr_t>(stack.data() + kReturnSlot + 1)) << where;
      EXPECT_EQ(at.fp, kCallersFp) << where;
      pc += shape.code[i].bytes.size();
    }
  }
}

}  // namespace
}  // namespace hearth::capture
