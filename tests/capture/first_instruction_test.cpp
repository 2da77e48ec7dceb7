#include "capture/arch/first_instruction.h"

#include <gtest/gtest.h>

#include <vector>

namespace hearth::capture {
namespace {

using Kind = FirstInstruction::Kind;

constexpr uintptr_t kAddress = 0x7f0000001000;

// The registers after the instruction; it must be understood.
struct Done {
  explicit Done(std::vector<uint8_t> code) {
    code.resize(FirstInstruction::kLongest, 0x90);
    for (int reg : {REG_RAX, REG_RCX, REG_RBP, REG_RDI, REG_R8, REG_R15}) registers[reg] = 0x1111000000000000 + reg;
    registers[REG_RSP] = reinterpret_cast<greg_t>(stack + 8);
    understood = decode(code.data(), kAddress, &instruction);
    if (understood) carry_out(instruction, kAddress, registers);
  }
  uint64_t operator[](int reg) const { return static_cast<uint64_t>(registers[reg]); }
  uint64_t length() const { return (*this)[REG_RIP] - kAddress; }
  bool flag(uint64_t bit) const { return ((*this)[REG_EFL] & bit) != 0; }

  FirstInstruction instruction;
  gregset_t registers = {};
  uint64_t stack[9] = {};
  bool understood = false;
};

TEST(FirstInstruction, Endbr64) {
  Done done({0xf3, 0x0f, 0x1e, 0xfa});
  ASSERT_TRUE(done.understood);
  EXPECT_EQ(done.length(), 4u);
  EXPECT_EQ(done[REG_RAX], 0x1111000000000000u + REG_RAX);
}

TEST(FirstInstruction, Push) {
  Done rbp({0x55});
  ASSERT_TRUE(rbp.understood);
  EXPECT_EQ(rbp.length(), 1u);
  EXPECT_EQ(rbp[REG_RSP], reinterpret_cast<uint64_t>(rbp.stack + 7));
  EXPECT_EQ(rbp.stack[7], rbp[REG_RBP]);
  Done r15({0x41, 0x57});
  EXPECT_EQ(r15.length(), 2u);
  EXPECT_EQ(r15.stack[7], r15[REG_R15]);
  Done rsp({0x54});
  EXPECT_EQ(rsp.stack[7], reinterpret_cast<uint64_t>(rsp.stack + 8));
}

TEST(FirstInstruction, Constants) {
  Done narrow({0xb8, 0xff, 0xff, 0xff, 0xff});
  EXPECT_EQ(narrow[REG_RAX], 0xffffffffu);
  EXPECT_EQ(narrow.length(), 5u);
  Done high({0x41, 0xb8, 1, 0, 0, 0});
  EXPECT_EQ(high[REG_R8], 1u);
  EXPECT_EQ(high.length(), 6u);
  Done wide({0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(wide[REG_RAX], 0x0807060504030201u);
  EXPECT_EQ(wide.length(), 10u);
}

TEST(FirstInstruction, AddressesCountFromTheNextInstruction) {
  Done lea({0x48, 0x8d, 0x05, 0xf0, 0xff, 0xff, 0xff});
  EXPECT_EQ(lea[REG_RAX], kAddress + 7 - 16);
  EXPECT_EQ(lea.length(), 7u);
}

TEST(FirstInstruction, LoadsFromAnAddress) {
  static uint64_t loaded = 0x123456789abcdef0;
  FirstInstruction load;
  const uint8_t wide[FirstInstruction::kLongest] = {0x48, 0x8b, 0x0d};
  ASSERT_TRUE(decode(wide, reinterpret_cast<uintptr_t>(&loaded) - 7, &load));
  gregset_t registers = {};
  carry_out(load, kAddress, registers);
  EXPECT_EQ(registers[REG_RCX], 0x123456789abcdef0);
  const uint8_t narrow[FirstInstruction::kLongest] = {0x8b, 0x0d};
  ASSERT_TRUE(decode(narrow, reinterpret_cast<uintptr_t>(&loaded) - 6, &load));
  carry_out(load, kAddress, registers);
  EXPECT_EQ(registers[REG_RCX], 0x9abcdef0);
}

TEST(FirstInstruction, CopiesBothWays) {
  Done to_rm({0x48, 0x89, 0xf9});  // mov %rdi,%rcx
  EXPECT_EQ(to_rm[REG_RCX], 0x1111000000000000u + REG_RDI);
  EXPECT_EQ(to_rm.length(), 3u);
  Done to_reg({0x49, 0x8b, 0xc7});  // mov %r15,%rax
  EXPECT_EQ(to_reg[REG_RAX], 0x1111000000000000u + REG_R15);
  Done narrow({0x89, 0xf8});  // mov %edi,%eax
  EXPECT_EQ(narrow[REG_RAX], static_cast<uint64_t>(REG_RDI));
}

TEST(FirstInstruction, ZeroSetsItsFlags) {
  Done done({0x31, 0xc0});
  EXPECT_EQ(done[REG_RAX], 0u);
  EXPECT_TRUE(done.flag(0x40) && done.flag(0x4));
  EXPECT_FALSE(done.flag(0x1) || done.flag(0x80) || done.flag(0x800));
}

TEST(FirstInstruction, SubtractsFromTheStackPointer) {
  Done small({0x48, 0x83, 0xec, 0x18});
  EXPECT_EQ(small[REG_RSP], reinterpret_cast<uint64_t>(small.stack + 8) - 0x18);
  EXPECT_EQ(small.length(), 4u);
  EXPECT_FALSE(small.flag(0x1) || small.flag(0x40));
  Done large({0x48, 0x81, 0xec, 0x00, 0x10, 0x00, 0x00});
  EXPECT_EQ(large[REG_RSP], reinterpret_cast<uint64_t>(large.stack + 8) - 0x1000);
  EXPECT_EQ(large.length(), 7u);
}

TEST(FirstInstruction, TestSetsFlagsOnly) {
  Done wide({0x48, 0x85, 0xff});  // test %rdi,%rdi
  ASSERT_TRUE(wide.understood);
  EXPECT_FALSE(wide.flag(0x40) || wide.flag(0x80));
  EXPECT_EQ(wide[REG_RDI], 0x1111000000000000u + REG_RDI);
  Done none({0x85, 0xd2});  // test %edx,%edx
  EXPECT_TRUE(none.flag(0x40));
}

TEST(FirstInstruction, RefusesUnknownInstructions) {
  for (const std::vector<uint8_t>& code : std::vector<std::vector<uint8_t>>{
           {0xc3},                          // ret
           {0xe9, 0, 0, 0, 0},              // jmp
           {0xcc},                          // somebody else's breakpoint
           {0x8b, 0x07},                    // mov (%rdi),%eax: may fault
           {0x31, 0xc8},                    // xor %ecx,%eax
           {0x48, 0x83, 0xef, 0x08},        // sub $8,%rdi
           {0x80, 0x3d, 0, 0, 0, 0, 1},     // cmpb $1,(%rip)
           {0x66, 0x0f, 0xef, 0xc0},        // pxor %xmm0,%xmm0
           {0x48, 0x8d, 0x44, 0x24, 0x08},  // lea 8(%rsp),%rax
       })
    EXPECT_FALSE(Done(code).understood) << static_cast<int>(code[0]);
}

}  // namespace
}  // namespace hearth::capture
