// Frames as HotSpot's compilers write them on aarch64, instruction by instruction.
#include <gtest/gtest.h>

#include <cstring>
#include <iterator>
#include <vector>

#include "capture/arch/first_instruction.h"
#include "capture/arch/machine_code.h"
#include "capture/unwind/native/native_rules.h"

namespace hearth::capture {
namespace {

constexpr uint32_t kNop = 0xd503201f, kWork = 0x8b020020, kRet = 0xd65f03c0;  // add x0,x1,x2
constexpr uint32_t kPushPair = 0xa9bf7bfd, kPopPair = 0xa8c17bfd, kSetFp = 0x910003fd, kLeave = 0x910003bf;
constexpr uint32_t kReserve32 = 0xd10083ff, kStorePair16 = 0xa9017bfd, kLoadPair16 = 0xa9417bfd,
                   kRelease32 = 0x910083ff;
constexpr uint32_t kReserve16 = 0xd10043ff;
constexpr uint32_t kLoadPoll = 0xf941c788, kComparePoll = 0xeb2863ff,
                   kToStub = 0x54000068;  // ldr x8,[x28,#d]; cmp; b.hi
constexpr uint32_t kAddressOfPoll = 0x10ffffc8, kStorePollPc = 0xf941c788 - 0x00400000, kJump = 0x14000010;

struct Step {
  FrameState before;
  uint32_t code;
};

void expect_states(const std::vector<Step>& steps, size_t prologue, uintptr_t frame_bytes, BlobKind kind) {
  std::vector<uint32_t> code = {kNop, kNop, kNop, kNop};  // the code before
  for (const Step& step : steps) code.push_back(step.code);
  code.resize(code.size() + 4, kNop);
  CodeBlob blob;
  blob.kind = kind;
  blob.code_begin = reinterpret_cast<uintptr_t>(code.data() + 4);
  blob.code_end = blob.code_begin + steps.size() * 4;
  blob.frame_bytes = frame_bytes;
  blob.frame_complete = static_cast<int>(prologue * 4);
  for (size_t i = 0; i < steps.size(); i++)
    EXPECT_EQ(frame_state(blob, blob.code_begin + i * 4), steps[i].before) << "instruction " << i;
}

constexpr auto kNone = FrameState::kNone, kSaved = FrameState::kSaved, kReserved = FrameState::kReserved,
               kBuilt = FrameState::kBuilt;

TEST(MachineCodeAarch64, ASmallFrameIsReservedThenStored) {
  expect_states({{kNone, kNop},
                 {kNone, kReserve32},
                 {kReserved, kStorePair16},
                 {kBuilt, kWork},
                 {kBuilt, kLoadPair16},
                 {kReserved, kRelease32},
                 {kNone, kLoadPoll},
                 {kNone, kComparePoll},
                 {kNone, kToStub},
                 {kNone, kRet},
                 {kNone, kAddressOfPoll},
                 {kNone, kStorePollPc},
                 {kNone, kJump},
                 {kBuilt, kWork}},
                3, 32, BlobKind::kCompiled);
}

TEST(MachineCodeAarch64, ANativeWrapperPushesThenReserves) {
  expect_states({{kNone, kNop},
                 {kNone, kPushPair},
                 {kSaved, kSetFp},
                 {kSaved, kReserve16},
                 {kBuilt, kWork},
                 {kBuilt, kLeave},
                 {kSaved, kPopPair},
                 {kNone, kLoadPoll},
                 {kNone, kRet}},
                4, 32, BlobKind::kNative);
}

TEST(MachineCodeAarch64, KnowsCallsAndTheirTargets) {
  // bl +8; nop; the trampoline: ldr x8,#8; br x8; its target
  alignas(8) uint32_t code[] = {0x94000002, kNop, 0x58000048, 0xd61f0100, 0x9abcdef0, 0x12345678};
  auto begin = reinterpret_cast<uintptr_t>(code);
  EXPECT_TRUE(behind_call(begin + 4));
  EXPECT_FALSE(behind_call(begin + 8));
  EXPECT_EQ(called_before(begin + 4), 0x123456789abcdef0U);
  code[2] = kNop;
  EXPECT_EQ(called_before(begin + 4), begin + 8);
  // mov x8,#0x5678; movk x8,#0x1234,lsl 16; movk x8,#0xffff,lsl 32; blr x8
  uint32_t far[] = {0xd28acf08, 0xf2a24688, 0xf2dfffe8, 0xd63f0100};
  EXPECT_EQ(called_before(reinterpret_cast<uintptr_t>(far + 4)), 0xffff12345678U);
  EXPECT_TRUE(behind_call(reinterpret_cast<uintptr_t>(far + 4)));
}

TEST(MachineCodeAarch64, CountsWordsThatArePopped) {
  uint32_t code[] = {0xa8c103e0 | 1 << 10, kPopPair, kRet};  // ldp x0,x1,[sp],#16
  EXPECT_EQ(popped_at(reinterpret_cast<uintptr_t>(code)), 2U);
  EXPECT_EQ(popped_at(reinterpret_cast<uintptr_t>(code + 1)), 0U);
  const uint32_t single[] = {0xf84107e3, 0x340001e3};  // ldr x3,[sp],#16; cbz w3
  EXPECT_EQ(popped_at(reinterpret_cast<uintptr_t>(single)), 2U);
}

// C1's slow_subtype_check of JDK 25, shortened: registers are pushed twice, and each of two ways out pops the outer
// ones.
TEST(MachineCodeAarch64, CountsWhatAStubWithoutFrameHasPushed) {
  const uint32_t code[] = {0xa9be0be0,   // stp x0,x2,[sp,#-32]!
                           0xa90117e4,   // stp x4,x5,[sp,#16]
                           0xa9bf27e8,   // stp x8,x9,[sp,#-16]!
                           0xa8c127e8,   // ldp x8,x9,[sp],#16
                           0xa8c20be0,   // ldp x0,x2,[sp],#32
                           0xd65f03c0,   // ret
                           0xf90013ff,   // str xzr,[sp,#32]
                           0xa8c20be0,   // ldp x0,x2,[sp],#32
                           0xd65f03c0};  // ret
  const uintptr_t expected[] = {0, 4, 4, 6, 4, 0, 4, 4, 0};
  auto entry = reinterpret_cast<uintptr_t>(code);
  for (size_t i = 0; i < std::size(expected); i++)
    EXPECT_EQ(pushed_without_frame(entry, entry + i * sizeof(uint32_t)), expected[i]) << i;
  const uint32_t framed[] = {0xa9bf7bfd, 0xd503201f};  // stp x29,x30,[sp,#-16]!
  auto with_frame = reinterpret_cast<uintptr_t>(framed);
  EXPECT_EQ(pushed_without_frame(with_frame, with_frame + sizeof(uint32_t)), 0U);
}

TEST(MachineCodeAarch64, FirstInstructionsAreCarriedOut) {
  uint64_t stack[16] = {};
  ucontext_t context{};
  auto run = [&](uint32_t code) {
    FirstInstruction instruction;
    uint8_t bytes[4];
    std::memcpy(bytes, &code, sizeof bytes);
    context.uc_mcontext.sp = reinterpret_cast<uint64_t>(stack + 8);
    context.uc_mcontext.regs[29] = 29;
    context.uc_mcontext.regs[30] = 30;
    if (!decode(bytes, 0x1000, &instruction)) return false;
    carry_out(instruction, 0x1000, &context);
    return context.uc_mcontext.pc == 0x1004;
  };
  EXPECT_TRUE(run(0xa9be7bfd));  // stp x29,x30,[sp,#-32]!
  EXPECT_EQ(context.uc_mcontext.sp, reinterpret_cast<uint64_t>(stack + 4));
  EXPECT_EQ(stack[4], 29U);
  EXPECT_EQ(stack[5], 30U);
  EXPECT_TRUE(run(kReserve32));
  EXPECT_EQ(context.uc_mcontext.sp, reinterpret_cast<uint64_t>(stack + 4));
  EXPECT_TRUE(run(0xaa1d03e0));  // mov x0,x29
  EXPECT_EQ(context.uc_mcontext.regs[0], 29U);
  EXPECT_TRUE(run(0x90000001));  // adrp x1,0
  EXPECT_EQ(context.uc_mcontext.regs[1], 0x1000U);
  EXPECT_TRUE(run(0xd503245f));   // bti c
  EXPECT_TRUE(run(0xd503233f));   // paciasp
  EXPECT_FALSE(run(0x14000001));  // b
  EXPECT_FALSE(run(0xb4000040));  // cbz x0
}

TEST(MachineCodeAarch64, RulesKeepWherePairsAreSaved) {
  EXPECT_TRUE(SavedSlots::can_hold(32, 24));
  EXPECT_TRUE(SavedSlots::can_hold(0, 16));
  EXPECT_FALSE(SavedSlots::can_hold(16, 32));
  NativeRule rule = {0, NativeRule::pack(CfaBase::kSp, 160, SavedSlots::of(160, 152))};
  EXPECT_EQ(rule.cfa_offset(), 160U);
  EXPECT_EQ(rule.saved().return_below_cfa(), 152U);
  EXPECT_EQ(rule.saved().fp_below_cfa(), 160U);
  EXPECT_EQ((NativeRule{0, NativeRule::pack(CfaBase::kSp, 0)}.saved().return_below_cfa()), 0U);
}

}  // namespace
}  // namespace hearth::capture
