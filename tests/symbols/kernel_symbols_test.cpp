#include "symbols/elf/kernel_symbols.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/files.h"

namespace hearth::symbols {
namespace {

class KernelSymbolsFile : public testing::Test {
 protected:
  KernelSymbols read(const std::string& content) {
    replace_file(path_, content);
    return KernelSymbols(path_);
  }
  void TearDown() override { std::filesystem::remove(path_); }

 private:
  std::string path_ = testing::TempDir() + "kallsyms." + std::to_string(::getpid());
};

TEST_F(KernelSymbolsFile, NamesTheFunctionThatHoldsAnAddress) {
  KernelSymbols symbols = read(
      "ffffffff81000000 T _stext\n"
      "ffffffff81000000 T _text\n"
      "ffffffffc0201000 t nf_hook\t[nf_tables]\n"
      "ffffffff81002000 t vfs_read\n"
      "ffffffff81001000 W weak_one\n"
      "ffffffff81001800 D some_data\n"
      "ffffffff81001900 t $x\n"
      "ffffffff81001a00 t $d.7\n");
  ASSERT_TRUE(symbols.available());
  EXPECT_EQ(symbols.resolve(0xffffffff81000000), "_stext") << "the first of two names";
  EXPECT_EQ(symbols.resolve(0xffffffff81001fff), "weak_one") << "data and marks are no code";
  EXPECT_EQ(symbols.resolve(0xffffffff81002000), "vfs_read");
  EXPECT_EQ(symbols.resolve(0xffffffffc0201010), "nf_hook") << "without its module";
  EXPECT_EQ(symbols.resolve(0xffffffff80ffffff), "");
}

TEST_F(KernelSymbolsFile, IsNotAvailableWhenAddressesAreHidden) {
  KernelSymbols symbols = read("0000000000000000 T _stext\n0000000000000000 t vfs_read\n");
  EXPECT_FALSE(symbols.available());
  EXPECT_EQ(symbols.resolve(0xffffffff81000000), "");
}

TEST_F(KernelSymbolsFile, SkipsMalformedLines) {
  KernelSymbols symbols = read("\n\nnonsense\nffffffff81000000\nffffffff81000000 T\nffffffff81000000 T \nffff T x");
  ASSERT_TRUE(symbols.available());
  EXPECT_EQ(symbols.resolve(0xffff), "x") << "a last line without its end";
  EXPECT_EQ(symbols.resolve(0xfffe), "");
}

TEST(KernelSymbols, AreNotAvailableWithoutTheFile) {
  EXPECT_FALSE(KernelSymbols("/no/such/file").available());
}

TEST(KernelSymbols, ReadTheRunningKernels) {
  KernelSymbols symbols;
  if (!symbols.available()) GTEST_SKIP() << "this kernel hides its addresses from us";
  bool found = false;
  // Finds the address by name in the file itself, then goes back.
  std::string text = read_file("/proc/kallsyms");
  size_t at = text.find(" T vfs_read\n");
  if (at != std::string::npos && at >= 16) {
    found = true;
    EXPECT_EQ(symbols.resolve(std::stoull(text.substr(at - 16, 16), nullptr, 16) + 1), "vfs_read");
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace hearth::symbols
