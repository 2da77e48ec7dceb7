#include "symbols/elf/cfa_program.h"

#include <gtest/gtest.h>

#include <vector>

namespace hearth::symbols {
namespace {

using capture::CfaBase;
using capture::NativeRule;

// DW_CFA_*, with the operand of the first three in the low bits.
constexpr uint8_t kAdvance = 0x40, kOffset = 0x80, kRestore = 0xc0;
constexpr uint8_t kUndefined = 0x07, kRegister = 0x09, kRemember = 0x0a, kRestoreState = 0x0b, kDefCfa = 0x0c,
                  kDefCfaRegister = 0x0d, kDefCfaOffset = 0x0e, kDefCfaExpression = 0x0f, kExpression = 0x10,
                  kArgsSize = 0x2e;
constexpr uint8_t kFp = 6, kSp = 7, kR10 = 10, kReturn = 16;

ByteReader reader(const std::vector<uint8_t>& bytes) {
  return {bytes.data(), 0, bytes.size()};
}

// The CIE of every C compiler: CFA = rsp + 8, the return address at CFA - 8.
CfaContext usual_context() {
  CfaContext context;
  context.data_alignment = -8;
  EXPECT_TRUE(run_initial_instructions(reader({kDefCfa, kSp, 8, kOffset | kReturn, 1}), context));
  return context;
}

std::vector<NativeRule> rules_of(const std::vector<uint8_t>& program, uint32_t start = 0x100, uint32_t end = 0x200) {
  std::vector<NativeRule> rules;
  append_function_rules(reader(program), usual_context(), start, end, rules);
  return rules;
}

void expect_rule(const NativeRule& rule, uint32_t start, CfaBase base, uint32_t cfa = 0, uint32_t fp = 0) {
  EXPECT_EQ(rule.start, start);
  EXPECT_EQ(rule.base(), base);
  EXPECT_EQ(rule.cfa_offset(), cfa);
  EXPECT_EQ(rule.fp_below_cfa(), fp);
}

TEST(CfaProgram, FollowsAFramePointerFunction) {
  auto rules = rules_of({kAdvance | 1, kDefCfaOffset, 16, kOffset | kFp, 2, kAdvance | 3, kDefCfaRegister, kFp, 0x02,
                         0x50, kDefCfa, kSp, 8, kRestore | kFp});
  ASSERT_EQ(rules.size(), 4u);
  expect_rule(rules[0], 0x100, CfaBase::kSp, 8);
  expect_rule(rules[1], 0x101, CfaBase::kSp, 16, 16);
  expect_rule(rules[2], 0x104, CfaBase::kFp, 16, 16);
  expect_rule(rules[3], 0x154, CfaBase::kSp, 8);
}

TEST(CfaProgram, RemembersAndRestoresTheWholeRow) {
  auto rules = rules_of({kAdvance | 1, kDefCfaOffset, 48, kOffset | kFp, 2, kAdvance | 1, kRemember, kDefCfaOffset, 8,
                         kRestore | kFp, kAdvance | 1, kRestoreState});
  ASSERT_EQ(rules.size(), 4u);
  expect_rule(rules[2], 0x102, CfaBase::kSp, 8);
  expect_rule(rules[3], 0x103, CfaBase::kSp, 48, 16);
}

TEST(CfaProgram, MergesEqualRows) {
  // rbx is not followed, so saving it changes nothing.
  auto rules = rules_of({kAdvance | 1, kOffset | 3, 2, kArgsSize, 16, kAdvance | 1});
  ASSERT_EQ(rules.size(), 1u);
}

TEST(CfaProgram, EndsTheStackWhereTheReturnAddressIsUndefined) {
  expect_rule(rules_of({kUndefined, kReturn}).at(0), 0x100, CfaBase::kEndOfStack);
}

TEST(CfaProgram, HasNoRuleForUnsupportedRows) {
  expect_rule(rules_of({kDefCfa, kR10, 0}).at(0), 0x100, CfaBase::kUnknown);
  expect_rule(rules_of({kRegister, kReturn, 5}).at(0), 0x100, CfaBase::kUnknown);
  expect_rule(rules_of({kRegister, kFp, 9}).at(0), 0x100, CfaBase::kUnknown);
  expect_rule(rules_of({kDefCfaOffset, 12}).at(0), 0x100, CfaBase::kUnknown);
  expect_rule(rules_of({kDefCfaOffset, 0x80, 0x80, 0x80, 0x01}).at(0), 0x100, CfaBase::kUnknown);
  expect_rule(rules_of({kOffset | kReturn, 2}).at(0), 0x100, CfaBase::kUnknown);
}

TEST(CfaProgram, KnowsARealignedStack) {
  // rbp points at its own slot; the CFA is the word 8 below it.
  auto rules = rules_of({kExpression, kFp, 2, 0x76, 0, kDefCfaExpression, 3, 0x76, 0x78, 0x06});
  expect_rule(rules.at(0), 0x100, CfaBase::kFpDeref, 8);
  auto without_fp = rules_of({kDefCfaExpression, 3, 0x76, 0x78, 0x06});
  expect_rule(without_fp.at(0), 0x100, CfaBase::kUnknown);
}

std::vector<uint8_t> plt_program(uint8_t threshold) {
  return {kDefCfaExpression,
          11,
          0x77,
          8,
          0x80,
          0,
          0x3f,
          0x1a,
          static_cast<uint8_t>(0x30 + threshold),
          0x2a,
          0x33,
          0x24,
          0x22};
}

TEST(CfaProgram, KnowsThePlt) {
  auto rules = rules_of(plt_program(11));
  ASSERT_EQ(rules.size(), 1u);
  expect_rule(rules[0], 0x100, CfaBase::kPlt);
}

TEST(CfaProgram, SpellsOutAnotherPlt) {
  auto rules = rules_of(plt_program(9), 0x108, 0x120);
  ASSERT_EQ(rules.size(), 4u);
  expect_rule(rules[0], 0x108, CfaBase::kSp, 8);
  expect_rule(rules[1], 0x109, CfaBase::kSp, 16);
  expect_rule(rules[2], 0x110, CfaBase::kSp, 8);
  expect_rule(rules[3], 0x119, CfaBase::kSp, 16);
}

TEST(CfaProgram, StopsAtTheEndOfItsFunction) {
  auto rules = rules_of({0x04, 0xff, 0xff, 0xff, 0xff, kDefCfaOffset, 64});
  ASSERT_EQ(rules.size(), 1u);
  expect_rule(rules[0], 0x100, CfaBase::kSp, 8);
}

TEST(CfaProgram, IsUnknownAfterAnUnsupportedInstruction) {
  auto rules = rules_of({kAdvance | 1, kDefCfaOffset, 16, kAdvance | 1, 0x3d, kAdvance | 1});
  ASSERT_EQ(rules.size(), 3u);
  expect_rule(rules[1], 0x101, CfaBase::kSp, 16);
  expect_rule(rules[2], 0x102, CfaBase::kUnknown);
  expect_rule(rules_of({kRestoreState}).at(0), 0x100, CfaBase::kUnknown);
  expect_rule(rules_of({kDefCfaOffset}).at(0), 0x100, CfaBase::kUnknown);
  expect_rule(rules_of(std::vector<uint8_t>(100, kRemember)).at(0), 0x100, CfaBase::kUnknown);
}

TEST(CfaProgram, RefusesInitialInstructionsThatMove) {
  CfaContext context;
  EXPECT_FALSE(run_initial_instructions(reader({kAdvance | 1}), context));
}

}  // namespace
}  // namespace hearth::symbols
