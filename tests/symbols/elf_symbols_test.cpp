#include "symbols/elf/elf_symbols.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <set>

#include "base/files.h"

namespace hearth::symbols {
namespace {

namespace fs = std::filesystem;

SymbolSource source_of(const std::string& path) {
  ElfImage image(path);
  SymbolSource source{path, std::string(image.build_id()), {}, "/no/such/debug/root"};
  for (size_t i = 0; i < image.section_count(); ++i) {
    const Elf64_Shdr* section = image.section(i);
    if ((section->sh_flags & SHF_EXECINSTR) != 0)
      source.code.push_back({section->sh_addr, section->sh_addr + section->sh_size});
  }
  return source;
}

// Every name that some byte of the object's code has.
std::set<std::string> names_in(const ElfSymbols& symbols, const SymbolSource& source) {
  std::set<std::string> names;
  for (const CodeRange& range : source.code) {
    for (uint64_t address = range.start; address < range.end; ++address) {
      auto found = symbols.find(address);
      names.insert(std::string(found.name) + (found.is_plt ? "@plt" : ""));
    }
  }
  return names;
}

std::set<std::string> names_of(const SymbolSource& source) {
  return names_in(ElfSymbols(source), source);
}

// A folder of its own for each test.
class ElfSymbolsFiles : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  std::string copy(const std::string& from, const std::string& to) {
    fs::create_directories(fs::path(folder_ + to).parent_path());
    fs::copy_file(from, folder_ + to, fs::copy_options::overwrite_existing);
    return folder_ + to;
  }
  std::string folder_ = testing::TempDir() + "elf_symbols." + std::to_string(::getpid()) + "/";
  std::string debug_file_ = fs::path(STRIPPED_FIXTURE).parent_path().string() + "/.debug/fixture.so.debug";
};

#if defined(__x86_64__)
constexpr uint64_t kInstruction = 1;  // nop, ret
#elif defined(__aarch64__)
constexpr uint64_t kInstruction = 4;
#endif
constexpr char kHidden[] = "_ZL14fixture_hiddeni";

TEST(ElfSymbols, ReadTheSymbolTable) {
  auto names = names_of(source_of(FIXTURE));
  EXPECT_EQ(names.count("fixture_exported"), 1u);
  EXPECT_EQ(names.count(kHidden), 1u);
  EXPECT_EQ(names.count("_ZNK7fixture3BoxIiE5twiceEi"), 1u);
}

TEST(ElfSymbols, NameTrampolinesByTheirTarget) {
  auto names = names_of(source_of(FIXTURE));
  EXPECT_TRUE(names.count("strtol@plt") + names.count("atoi@plt") + names.count("__isoc23_strtol@plt") > 0);
}

TEST(ElfSymbols, RespectSizesAndLabels) {
  SymbolSource source = source_of(FIXTURE);
  ElfSymbols symbols(source);
  uint64_t sized = 0;
  uint64_t unsized_code = 0;
  for (const CodeRange& range : source.code) {
    for (uint64_t address = range.start; address < range.end; ++address) {
      auto name = symbols.find(address).name;
      if (name == "fixture_sized") ++sized;
      if (name == "fixture_unsized") ++unsized_code;
      EXPECT_NE(name, "fixture_label") << "a label within a function";
    }
  }
  EXPECT_EQ(sized, 3u * kInstruction);
  EXPECT_GE(unsized_code, 3u) << "without a size it reaches to the next symbol";
}

TEST_F(ElfSymbolsFiles, AreTheExportedOnesWithoutADebugFile) {
  auto names = names_of(source_of(copy(STRIPPED_FIXTURE, "alone.so")));
  EXPECT_EQ(names.count("fixture_exported"), 1u);
  EXPECT_EQ(names.count(kHidden), 0u);
}

TEST_F(ElfSymbolsFiles, AreFoundByDebugLink) {
  std::string library = copy(STRIPPED_FIXTURE, "lib/fixture.so");
  copy(debug_file_, "lib/.debug/fixture.so.debug");
  EXPECT_EQ(names_of(source_of(library)).count(kHidden), 1u) << "in .debug/";
  fs::remove_all(folder_ + "lib/.debug");
  copy(debug_file_, "lib/fixture.so.debug");
  EXPECT_EQ(names_of(source_of(library)).count(kHidden), 1u) << "beside it";
  fs::remove(folder_ + "lib/fixture.so.debug");
  SymbolSource source = source_of(library);
  source.debug_root = folder_ + "root";
  copy(debug_file_, "root" + fs::canonical(folder_ + "lib").string() + "/fixture.so.debug");
  EXPECT_EQ(names_of(source).count(kHidden), 1u) << "under the debug root";
}

TEST_F(ElfSymbolsFiles, AreFoundByBuildId) {
  SymbolSource source = source_of(copy(STRIPPED_FIXTURE, "fixture.so"));
  ASSERT_GT(source.build_id.size(), 1u);
  std::string hex;
  for (unsigned char byte : source.build_id) hex += "0123456789abcdef"[byte >> 4], hex += "0123456789abcdef"[byte & 15];
  copy(debug_file_, "root/.build-id/" + hex.substr(0, 2) + "/" + hex.substr(2) + ".debug");
  source.debug_root = folder_ + "root";
  EXPECT_EQ(names_of(source).count(kHidden), 1u);
}

TEST_F(ElfSymbolsFiles, RefuseAForeignDebugFile) {
  std::string library = copy(STRIPPED_FIXTURE, "fixture.so");
  copy("/proc/self/exe", "fixture.so.debug");
  EXPECT_EQ(names_of(source_of(library)).count(kHidden), 0u);
}

TEST(ElfSymbols, AreNoneWhenTheFileIsNotTheOneMapped) {
  SymbolSource source = source_of(FIXTURE);
  source.build_id[0] = static_cast<char>(source.build_id[0] + 1);
  EXPECT_EQ(ElfSymbols(source).size(), 0u);
}

TEST(ElfSymbols, AreEmptyForOtherFiles) {
  for (const char* path : {"/no/such/file", "/dev/null", "/proc/self", "/etc/passwd"})
    EXPECT_EQ(ElfSymbols({path, "", {{0, UINT32_MAX}}, ""}).size(), 0u) << path;
}

TEST_F(ElfSymbolsFiles, SurviveDamagedFiles) {
  std::string original = read_file(FIXTURE);
  SymbolSource source = source_of(FIXTURE);
  source.path = folder_ + "mutant.so";
  source.build_id.clear();
  std::mt19937 random(20260102);
  for (int round = 0; round < 500; ++round) {
    std::string mutant = original.substr(0, round % 5 == 0 ? random() % original.size() : original.size());
    for (unsigned change = random() % 64; change > 0 && !mutant.empty(); --change) {
      // The ELF header, and the section headers at the end, are where damage hurts.
      size_t reach = std::min<size_t>(mutant.size(), 2048);
      size_t at = random() % reach;
      if (random() % 2 == 0) at = mutant.size() - 1 - at;
      mutant[at] = static_cast<char>(random());
    }
    replace_file(source.path, mutant);
    ElfSymbols symbols(source);
    for (uint64_t address = 0; address < 0x5000; address += 7) symbols.find(address);
  }
}

void add_symbol(DynamicSymbols* table, const char* name, uint64_t value, uint64_t size, unsigned char info) {
  Elf64_Sym symbol{};
  symbol.st_name = static_cast<Elf64_Word>(table->strings.size());
  symbol.st_info = info;
  symbol.st_shndx = 1;
  symbol.st_value = value;
  symbol.st_size = size;
  table->symbols.push_back(symbol);
  table->strings.append(name).push_back('\0');
}

TEST(ElfSymbols, PreferThePlainOneOfAliases) {
  DynamicSymbols table;
  auto add = [&](const char* name, unsigned char binding) {
    add_symbol(&table, name, 0x100, 16, ELF64_ST_INFO(binding, STT_FUNC));
  };
  add("__GI_memcmp", STB_GLOBAL);
  add("bcmp", STB_WEAK);
  add("memcmp", STB_GLOBAL);
  ElfSymbols symbols(std::move(table), {{0, 0x1000}});
  EXPECT_EQ(symbols.find(0x10f).name, "memcmp");
  EXPECT_EQ(symbols.find(0x110).name, "");
  EXPECT_EQ(symbols.find(0xff).name, "");
}

TEST(ElfSymbols, LeaveOutMarksOfCodeAndData) {
  DynamicSymbols table;
  auto add_label = [&](const char* name, uint64_t value) {
    add_symbol(&table, name, value, 0, ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE));
  };
  add_label("function", 0x100);
  for (const char* name : {"$x", "$d", "$x.1", "$d.text"}) add_label(name, 0x104);
  add_label("$xylophone", 0x110);
  add_label("$", 0x120);
  ElfSymbols symbols(std::move(table), {{0, 0x1000}});
  EXPECT_EQ(symbols.find(0x104).name, "function");
  EXPECT_EQ(symbols.find(0x110).name, "$xylophone");
  EXPECT_EQ(symbols.find(0x120).name, "$");
}

}  // namespace
}  // namespace hearth::symbols
