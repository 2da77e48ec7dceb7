#include "symbols/elf/debug_frame.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "capture/unwind/native/native_frames.h"
#include "symbols/elf/debug_file.h"
#include "symbols/elf/native_modules.h"
#include "symbols/elf/unwind_rules_eh_frame.h"
#include "unwind_truth.h"

namespace hearth::symbols {
namespace {

namespace fs = std::filesystem;
using capture::CfaBase;
using capture::NativeRule;
using capture::NativeStep;
using capture::Registers;

const std::vector<CodeRange> kAllCode = {{0, UINT32_MAX}};

SymbolSource source_of(const std::string& path) {
  return {path, std::string(ElfImage(path).build_id()), kAllCode};
}

std::vector<NativeRule> rules_of_file(const std::string& path) {
  return with_rules_of_file({}, source_of(path));
}

// Rows of the fixture's own functions; the file has those of the C runtime's, too.
std::vector<TruthRow> rows_of_functions() {
  auto rows = readelf_rows(PLAIN_FIXTURE);
  ElfSymbols symbols(source_of(PLAIN_FIXTURE));
  auto is_other = [&](const TruthRow& row) { return symbols.find(row.start).name.substr(0, 6) != "plain_"; };
  rows.erase(std::remove_if(rows.begin(), rows.end(), is_other), rows.end());
  return rows;
}

void expect_functions_known(const std::vector<NativeRule>& rules) {
  ASSERT_FALSE(rules.empty());
  auto rows = rows_of_functions();
  ASSERT_GE(rows.size(), 6U);
  for (const TruthRow& row : rows) {
    EXPECT_TRUE(agrees(row, rule_at(rules, row.start))) << std::hex << row.start;
    EXPECT_TRUE(agrees(row, rule_at(rules, row.end - 1))) << std::hex << row.end;
  }
}

TEST(DebugFrame, AgreesWithReadelf) {
  expect_functions_known(rules_of_file(PLAIN_FIXTURE));
}

TEST(DebugFrame, IsFoundInTheCompressedDebugFile) {
  expect_functions_known(rules_of_file(SPLIT_PLAIN_FIXTURE));
}

TEST(DebugFrame, IsMissedInAFileWithout) {
  auto rules = rules_of_file(BARE_PLAIN_FIXTURE);
  for (const TruthRow& row : rows_of_functions()) {
    if (!rules.empty()) {
      EXPECT_EQ(rule_at(rules, row.start).base(), CfaBase::kUnknown);
    }
  }
}

TEST(DebugFrame, OfAnotherFileIsNotTaken) {
  SymbolSource source = source_of(PLAIN_FIXTURE);
  source.build_id = "another";
  EXPECT_TRUE(with_rules_of_file({}, source).empty());
}

TEST(DebugFrame, LeavesOutFunctionsThatTheLinkerDropped) {
  SymbolSource source = source_of(PLAIN_FIXTURE);
  source.code = {{0, 16}};
  EXPECT_TRUE(with_rules_of_file({}, source).empty());
}

struct Walk {
  const capture::NativeMap* map;
  capture::RuleCache rules;
  std::vector<uintptr_t> pcs;
  NativeStep end = NativeStep::kFailed;
  bool guessed = false;
};

void take(void* data) {
  auto* walk = static_cast<Walk*>(data);
  ucontext_t context;
  ::getcontext(&context);
  Registers at = Registers::of(&context);
  for (bool returned = false; walk->pcs.size() < 100; returned = true) {
    walk->pcs.push_back(at.pc);
    walk->end = capture::step_native({walk->map, &walk->rules}, &at, returned);
    if (walk->end == NativeStep::kGuessed) walk->guessed = true;
    if (!capture::has_stepped(walk->end) && walk->end != NativeStep::kGuessed) return;
  }
}

struct Taken {
  int in_library = 0;
  bool is_whole = false;
};

Taken walk_through(const char* path) {
  void* library = ::dlopen(path, RTLD_NOW);
  EXPECT_NE(library, nullptr);
  auto call = reinterpret_cast<int (*)(void (*)(void*), void*)>(::dlsym(library, "plain_outer"));
  NativeModules modules;
  modules.refresh();
  Walk walk{};
  walk.map = modules.map();
  call(take, &walk);
  Taken taken;
  for (uintptr_t pc : walk.pcs)
    taken.in_library += modules.resolve(pc - 1).library == fs::path(path).filename() ? 1 : 0;
  taken.is_whole = walk.end == NativeStep::kEndOfStack && !walk.guessed;
  ::dlclose(library);
  return taken;
}

TEST(DebugFrame, IsUsedByWalks) {
  for (const char* path : {PLAIN_FIXTURE, SPLIT_PLAIN_FIXTURE}) {
    Taken taken = walk_through(path);
    EXPECT_EQ(taken.in_library, 5) << path;
    EXPECT_TRUE(taken.is_whole) << path;
  }
}

TEST(DebugFrame, AWalkWithoutItIsIncomplete) {
  EXPECT_FALSE(walk_through(BARE_PLAIN_FIXTURE).is_whole);
}

constexpr char kSp = capture::kDwarfSp, kReturn = capture::kDwarfReturnAddress;

// Records as assemblers of any age write them.
class Section {
 public:
  explicit Section(bool is_long) : is_long_(is_long) {}

  Section& cie(uint8_t version, uint8_t address_size = 8, uint8_t segment_size = 0) {
    std::string body(1, static_cast<char>(version));
    body += '\0';
    if (version >= 4) body += {static_cast<char>(address_size), static_cast<char>(segment_size)};
    // Code by 1, data by -8, the column of the return address; CFA = sp + 8, the return address at CFA - 8.
    body += {1, 0x78, kReturn, 0x0c, kSp, 8, static_cast<char>(0x80 | kReturn), 1};
    return record(UINT64_MAX, body);
  }

  Section& fde(uint64_t cie, uint64_t start, uint64_t size) {
    std::string body(16, '\0');
    std::memcpy(body.data(), &start, sizeof start);
    std::memcpy(body.data() + 8, &size, sizeof size);
    body += {0x44, 0x0e, 32};  // after 4 bytes CFA = sp + 32
    return record(cie, body);
  }

  std::vector<NativeRule> rules() const {
    return unwind_rules({FrameSection::kDebugFrame, bytes_, 0}, {{0x1000, 0x2000}});
  }
  size_t size() const { return bytes_.size(); }

 private:
  Section& record(uint64_t id, const std::string& body) {
    size_t id_size = is_long_ ? 8 : 4;
    uint64_t length = id_size + body.size();
    if (is_long_) bytes_ += "\xff\xff\xff\xff";
    bytes_.append(reinterpret_cast<const char*>(&length), id_size);
    bytes_.append(reinterpret_cast<const char*>(&id), id_size);
    bytes_ += body;
    return *this;
  }

  bool is_long_;
  std::string bytes_;
};

constexpr capture::SavedSlots kSaved = capture::SavedSlots::of(capture::SavedSlots::kNotSaved, 8);

void expect_both_rows(const std::vector<NativeRule>& rules) {
  ASSERT_FALSE(rules.empty());
  EXPECT_EQ(rule_at(rules, 0x1100).packed, NativeRule::pack(CfaBase::kSp, 8, kSaved));
  EXPECT_EQ(rule_at(rules, 0x1104).packed, NativeRule::pack(CfaBase::kSp, 32, kSaved));
  EXPECT_EQ(rule_at(rules, 0x1120).base(), CfaBase::kUnknown);
}

TEST(DebugFrame, OfEveryVersionAndLengthIsRead) {
  for (bool is_long : {false, true}) {
    for (uint8_t version : {1, 3, 4}) expect_both_rows(Section(is_long).cie(version).fde(0, 0x1100, 0x20).rules());
  }
}

TEST(DebugFrame, IgnoresSectionsOfOtherKinds) {
  EXPECT_TRUE(Section(false).cie(2).fde(0, 0x1100, 0x20).rules().empty());
  EXPECT_TRUE(Section(false).cie(4, 4).fde(0, 0x1100, 0x20).rules().empty());
  EXPECT_TRUE(Section(false).cie(4, 8, 2).fde(0, 0x1100, 0x20).rules().empty());
}

TEST(DebugFrame, SurvivesWildNumbers) {
  for (uint64_t cie : {uint64_t{1}, uint64_t{5000}, uint64_t{UINT32_MAX - 1}, UINT64_MAX - 1})
    EXPECT_TRUE(Section(true).cie(4).fde(cie, 0x1100, 0x20).rules().empty());
  EXPECT_TRUE(Section(true).cie(4).fde(0, 0x1100, 0x2000).rules().empty());
  EXPECT_TRUE(Section(true).cie(4).fde(0, 0x1100, UINT64_MAX).rules().empty());
  EXPECT_TRUE(Section(true).cie(4).fde(0, UINT64_MAX, 0x20).rules().empty());
  Section twice(false);
  expect_both_rows(twice.cie(4).fde(0, 0x1100, 0x20).fde(0, 0x1100, 0x20).rules());
}

std::string debug_frame_bytes() {
  ElfImage image(PLAIN_FIXTURE);
  return std::string(image.content(image.section_named(".debug_frame")));
}

TEST(DebugFrame, SurvivesEveryTruncation) {
  std::string whole = debug_frame_bytes();
  ASSERT_FALSE(whole.empty());
  for (size_t size = 0; size < whole.size(); size++) {
    std::vector<char> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    unwind_rules({FrameSection::kDebugFrame, {cut.data(), cut.size()}, 0}, kAllCode);
  }
}

TEST(DebugFrame, SurvivesTenThousandMutations) {
  std::string original = debug_frame_bytes();
  std::mt19937 random(20260102);
  for (int round = 0; round < 10000; round++) {
    std::vector<char> mutant(original.begin(), original.end());
    for (unsigned change = 1 + random() % 8; change > 0; change--)
      mutant[random() % mutant.size()] = static_cast<char>(random());
    auto rules = unwind_rules({FrameSection::kDebugFrame, {mutant.data(), mutant.size()}, 0}, kAllCode);
    for (size_t i = 1; i < rules.size(); i++) ASSERT_LT(rules[i - 1].start, rules[i].start) << "in round " << round;
  }
}

// The library with a damaged debug file: `change` gets the compressed section.
std::vector<NativeRule> rules_with_debug_file(void (*change)(char* section, size_t size)) {
  std::string folder = testing::TempDir() + "debug_frame." + std::to_string(::getpid());
  fs::create_directories(folder + "/.debug");
  std::string debug_file = folder + "/.debug/plain.so.debug";
  fs::copy_file(SPLIT_PLAIN_FIXTURE, folder + "/plain.so", fs::copy_options::overwrite_existing);
  std::ifstream from(fs::path(SPLIT_PLAIN_FIXTURE).parent_path() / ".debug/plain.so.debug", std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(from), {}};
  {
    ElfImage image(fs::path(SPLIT_PLAIN_FIXTURE).parent_path() / ".debug/plain.so.debug");
    std::string_view section = image.raw_content(image.section_named(".debug_frame"));
    EXPECT_NE(image.section_named(".debug_frame")->sh_flags & SHF_COMPRESSED, 0U);
    change(bytes.data() + (section.data() - image.bytes().data()), section.size());
  }
  std::ofstream(debug_file, std::ios::binary) << bytes;
  auto rules = rules_of_file(folder + "/plain.so");
  fs::remove_all(folder);
  return rules;
}

TEST(DebugFrame, ThatCannotBeInflatedIsNone) {
  expect_functions_known(rules_with_debug_file([](char*, size_t) {}));
  auto knows = [](const std::vector<NativeRule>& rules) {
    return !rules.empty() && rule_at(rules, rows_of_functions()[0].start).base() != CfaBase::kUnknown;
  };
  EXPECT_FALSE(knows(rules_with_debug_file([](char* section, size_t) { section[0] = 2; }))) << "zstd";
  EXPECT_FALSE(knows(rules_with_debug_file([](char* section, size_t) { std::memset(section + 8, 0x7f, 8); })))
      << "a size without end";
  EXPECT_FALSE(knows(rules_with_debug_file([](char* section, size_t) { section[8]++; }))) << "another size";
  EXPECT_FALSE(knows(rules_with_debug_file([](char* section, size_t size) {
    std::memset(section + 24, 0x55, size - 24);
  }))) << "no stream";
}

TEST(CompletedRules, FillUnknownRanges) {
  constexpr uint32_t kUnknown = 0;
  uint32_t one = NativeRule::pack(CfaBase::kSp, 8);
  uint32_t other = NativeRule::pack(CfaBase::kSp, 16);
  std::vector<NativeRule> rules = {{0, kUnknown}, {10, one}, {20, kUnknown}, {40, one}, {50, kUnknown}};
  std::vector<NativeRule> others = {{0, kUnknown}, {15, other}, {30, kUnknown}, {60, other}, {70, kUnknown}};
  std::vector<NativeRule> expected = {{0, kUnknown}, {10, one},      {20, other}, {30, kUnknown},
                                      {40, one},     {50, kUnknown}, {60, other}, {70, kUnknown}};
  auto result = completed(rules, others);
  ASSERT_EQ(result.size(), expected.size());
  for (size_t i = 0; i < expected.size(); i++) {
    EXPECT_EQ(result[i].start, expected[i].start);
    EXPECT_EQ(result[i].packed, expected[i].packed);
  }
  EXPECT_EQ(completed({}, others).size(), others.size());
  EXPECT_EQ(completed(rules, {}).size(), rules.size());
}

}  // namespace
}  // namespace hearth::symbols
