// Programs as compilers write them for aarch64.
#include <gtest/gtest.h>

#include <vector>

#include "symbols/elf/cfa_program.h"

namespace hearth::symbols {
namespace {

using capture::CfaBase;
using capture::NativeRule;

// DW_CFA_*, with the operand of the first two in the low bits.
constexpr uint8_t kAdvance = 0x40, kOffset = 0x80, kRestore = 0xc0;
constexpr uint8_t kUndefined = 0x07, kRemember = 0x0a, kRestoreState = 0x0b, kDefCfa = 0x0c, kDefCfaOffset = 0x0e,
                  kNegateSignState = 0x2d;
constexpr uint8_t kFp = 29, kLr = 30, kSp = 31;

ByteReader reader(const std::vector<uint8_t>& bytes) {
  return {bytes.data(), 0, bytes.size()};
}

// The CIE of every C compiler: CFA = sp, code by 4, the return address in its register.
std::vector<NativeRule> rules_of(const std::vector<uint8_t>& program) {
  CfaContext context;
  context.code_alignment = 4;
  context.data_alignment = -8;
  EXPECT_TRUE(run_initial_instructions(reader({kDefCfa, kSp, 0}), context));
  std::vector<NativeRule> rules;
  append_function_rules(reader(program), context, 0x100, 0x200, rules);
  return rules;
}

struct Row {
  uint32_t start;
  CfaBase base;
  uint32_t cfa;
  uint32_t fp;
  uint32_t return_address;
};

void expect_rows(const std::vector<NativeRule>& rules, const std::vector<Row>& rows) {
  ASSERT_EQ(rules.size(), rows.size());
  for (size_t i = 0; i < rows.size(); i++) {
    EXPECT_EQ(rules[i].start, rows[i].start);
    EXPECT_EQ(rules[i].base(), rows[i].base);
    EXPECT_EQ(rules[i].cfa_offset(), rows[i].cfa);
    EXPECT_EQ(rules[i].fp_below_cfa(), rows[i].fp);
    EXPECT_EQ(rules[i].saved().return_below_cfa(), rows[i].return_address);
  }
}

TEST(CfaProgramAarch64, FollowsAFramePointerFunction) {
  expect_rows(rules_of({kAdvance | 1, kDefCfaOffset, 48, kOffset | kFp, 6, kOffset | kLr, 5, kAdvance | 1, kDefCfa, kFp,
                        48, kAdvance | 8, kDefCfa, kSp, 0, kRestore | kFp, kRestore | kLr}),
              {{0x100, CfaBase::kSp, 0, 0, 0},
               {0x104, CfaBase::kSp, 48, 48, 40},
               {0x108, CfaBase::kFp, 48, 48, 40},
               {0x128, CfaBase::kSp, 0, 0, 0}});
}

TEST(CfaProgramAarch64, FollowsALeafWithAFrame) {
  expect_rows(rules_of({kAdvance | 1, kDefCfaOffset, 32, kAdvance | 4, kDefCfaOffset, 0}),
              {{0x100, CfaBase::kSp, 0, 0, 0}, {0x104, CfaBase::kSp, 32, 0, 0}, {0x114, CfaBase::kSp, 0, 0, 0}});
}

TEST(CfaProgramAarch64, ASignatureChangesNoRow) {
  expect_rows(rules_of({kAdvance | 1, kNegateSignState, kAdvance | 1, kDefCfaOffset, 16, kOffset | kFp, 2,
                        kOffset | kLr, 1, kAdvance | 2, kRemember, kRestore | kFp, kRestore | kLr, kDefCfaOffset, 0,
                        kNegateSignState, kAdvance | 1, kRestoreState}),
              {{0x100, CfaBase::kSp, 0, 0, 0},
               {0x108, CfaBase::kSp, 16, 16, 8},
               {0x110, CfaBase::kSp, 0, 0, 0},
               {0x114, CfaBase::kSp, 16, 16, 8}});
}

TEST(CfaProgramAarch64, EndsTheStackWhereTheReturnAddressIsUndefined) {
  expect_rows(rules_of({kUndefined, kLr}), {{0x100, CfaBase::kEndOfStack, 0, 0, 0}});
}

TEST(CfaProgramAarch64, HasNoRuleWhereTheTwoAreNoPair) {
  auto rules = rules_of({kAdvance | 1, kDefCfaOffset, 48, kOffset | kFp, 6, kOffset | kLr, 1});
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[1].base(), CfaBase::kUnknown);
}

}  // namespace
}  // namespace hearth::symbols
