#include "symbols/elf/unwind_rules_eh_frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "unwind_truth.h"

namespace hearth::symbols {
namespace {

using capture::CfaBase;
using capture::NativeRule;

void expect_what_readelf_says(const std::string& path) {
  auto rows = readelf_rows(path);
  auto rules = unwind_rules(file_tables(path).view());
  ASSERT_GT(rows.size(), 100u) << path;
  size_t wrong = 0;
  for (const TruthRow& row : rows) {
    for (uint64_t address : {row.start, row.end - 1}) {
      const NativeRule& rule = rule_at(rules, address);
      if (agrees(row, rule) || ++wrong > 10) continue;
      ADD_FAILURE() << path << " at 0x" << std::hex << address << ": readelf says CFA " << row.cfa << " rbp " << row.fp
                    << " ra " << row.return_address << ", the rule is base " << std::dec
                    << static_cast<int>(rule.base()) << " CFA " << rule.cfa_offset() << " rbp " << rule.fp_below_cfa();
    }
  }
  EXPECT_EQ(wrong, 0u) << path << ", of " << 2 * rows.size();
}

void expect_sorted(const std::vector<NativeRule>& rules) {
  for (size_t i = 1; i < rules.size(); ++i) {
    ASSERT_LT(rules[i - 1].start, rules[i].start);
    ASSERT_NE(rules[i - 1].packed, rules[i].packed) << "neighbours that say the same are merged";
  }
}

TEST(UnwindRules, AgreeWithReadelfOnLibc) {
  expect_what_readelf_says(loaded_file("libc.so.6"));
}

TEST(UnwindRules, AgreeWithReadelfOnLibstdcxx) {
  expect_what_readelf_says(loaded_file("libstdc++.so.6"));
}

TEST(UnwindRules, AgreeWithReadelfOnItsOwnProgram) {
  expect_what_readelf_says(own_program());
}

TEST(UnwindRules, AgreeWithReadelfOnEveryJvm) {
  auto jvms = installed_jvms();
  if (jvms.empty()) GTEST_SKIP() << "no libjvm.so in /usr/lib/jvm";
  for (const std::string& path : jvms) expect_what_readelf_says(path);
}

TEST(UnwindRules, AreSortedAndMerged) {
  auto rules = unwind_rules(file_tables(loaded_file("libc.so.6")).view());
  ASSERT_FALSE(rules.empty());
  EXPECT_EQ(rules.front().start, 0u);
  expect_sorted(rules);
}

TEST(UnwindRules, LeaveGapsBetweenFunctionsUnknown) {
  std::string path = loaded_file("libc.so.6");
  auto rules = unwind_rules(file_tables(path).view());
  auto rows = readelf_rows(path);
  std::sort(rows.begin(), rows.end(), [](const TruthRow& a, const TruthRow& b) { return a.start < b.start; });
  size_t gaps = 0;
  for (size_t i = 1; i < rows.size(); ++i) {
    if (rows[i - 1].end >= rows[i].start) continue;
    ++gaps;
    EXPECT_EQ(rule_at(rules, rows[i - 1].end).base(), CfaBase::kUnknown);
    EXPECT_EQ(rule_at(rules, rows[i].start - 1).base(), CfaBase::kUnknown);
  }
  EXPECT_GT(gaps, 100u);
  EXPECT_EQ(rules.back().base(), CfaBase::kUnknown) << "behind the last function";
}

#if defined(__x86_64__)
TEST(UnwindRules, KnowAStackThatIsRealigned) {
  auto rules = unwind_rules(file_tables(FIXTURE).view());
  auto realigned =
      std::find_if(rules.begin(), rules.end(), [](const NativeRule& rule) { return rule.base() == CfaBase::kFpDeref; });
  ASSERT_NE(realigned, rules.end());
  EXPECT_GE(realigned->cfa_offset(), 8u);
}
#endif

// Linkers may leave the sorted table out (--no-ld-generated-unwind-info); then .eh_frame itself is read.
TEST(UnwindRules, AreTheSameWithoutTheSortedTable) {
  FileTables tables = file_tables(loaded_file("libc.so.6"));
  auto with_table = unwind_rules(tables.view());
  tables.bytes[2] = 0xff;  // DW_EH_PE_omit for the count
  tables.bytes[3] = 0xff;  // and for the table
  auto without_table = unwind_rules(tables.view());
  ASSERT_EQ(with_table.size(), without_table.size());
  for (size_t i = 0; i < with_table.size(); ++i) {
    ASSERT_EQ(with_table[i].start, without_table[i].start);
    ASSERT_EQ(with_table[i].packed, without_table[i].packed);
  }
}

// As of a library that was linked with --no-eh-frame-hdr.
TEST(UnwindRules, AreTheSameFromTheWholeSection) {
  std::string path = loaded_file("libc.so.6");
  auto with_table = unwind_rules(file_tables(path).view());
  ElfImage image(path);
  const Elf64_Shdr* section = image.section_named(".eh_frame");
  ASSERT_NE(section, nullptr);
  auto of_section = unwind_rules({FrameSection::kEhFrame, image.content(section), section->sh_addr}, {{0, UINT32_MAX}});
  ASSERT_EQ(with_table.size(), of_section.size());
  for (size_t i = 0; i < with_table.size(); ++i) {
    ASSERT_EQ(with_table[i].start, of_section[i].start);
    ASSERT_EQ(with_table[i].packed, of_section[i].packed);
  }
}

TEST(UnwindRules, AreNoneForNoTable) {
  EXPECT_TRUE(unwind_rules({}).empty());
  const uint8_t wrong_version[12] = {2, 0x1b, 0x03, 0x3b};
  EXPECT_TRUE(unwind_rules({wrong_version, sizeof wrong_version, 0, 0, 0}).empty());
}

TEST(UnwindRules, SurviveEveryTruncation) {
  FileTables whole = file_tables(FIXTURE);
  for (size_t size = 0; size < whole.bytes.size(); ++size) {
    FileTables cut = whole;
    cut.bytes.assign(whole.bytes.begin(), whole.bytes.begin() + static_cast<std::ptrdiff_t>(size));
    cut.bytes.shrink_to_fit();
    expect_sorted(unwind_rules(cut.view()));
  }
}

TEST(UnwindRules, SurviveTenThousandMutations) {
  FileTables original = file_tables(loaded_file("libgcc_s.so.1"));
  ASSERT_FALSE(original.bytes.empty());
  std::mt19937 random(20260101);
  for (int round = 0; round < 10000; ++round) {
    FileTables mutant = original;
    for (unsigned change = 1 + random() % 16; change > 0; --change) {
      // Half of the damage goes where it does most: into the header and the first records.
      size_t reach = random() % 2 == 0 ? mutant.bytes.size() : std::min<size_t>(mutant.bytes.size(), 512);
      mutant.bytes[random() % reach] = static_cast<uint8_t>(random());
    }
    expect_sorted(unwind_rules(mutant.view()));
    if (HasFatalFailure()) FAIL() << "in round " << round;
  }
}

}  // namespace
}  // namespace hearth::symbols
