#include "launcher/attach/elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "base/files.h"
#include "base/owned.h"

namespace hearth::launcher {
namespace {

std::string header_of(unsigned char width, uint16_t machine) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = width;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = machine;
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

std::string name_of(const std::string& content) {
  std::optional<Processor> processor = processor_of(content);
  return processor ? processor->name() : "none";
}

TEST(ProcessorOf, ReadsTheHeaderOfAnElfFile) {
  EXPECT_EQ(name_of(header_of(ELFCLASS64, EM_X86_64)), "x86-64");
  EXPECT_EQ(name_of(header_of(ELFCLASS64, EM_AARCH64)), "aarch64");
  EXPECT_EQ(name_of(header_of(ELFCLASS32, EM_386)), "32-bit x86");
  EXPECT_EQ(name_of(header_of(ELFCLASS32, EM_ARM)), "32-bit ARM");
  EXPECT_EQ(name_of(header_of(ELFCLASS64, EM_RISCV)), "64-bit RISC-V");
  EXPECT_EQ(name_of(header_of(ELFCLASS32, 999)), "another 32-bit processor (ELF machine 999)");
  EXPECT_TRUE(processor_of(header_of(ELFCLASS64, EM_X86_64))->is_supported());
  EXPECT_FALSE(processor_of(header_of(ELFCLASS32, EM_X86_64))->is_supported()) << "x32";
}

TEST(ProcessorOf, KnowsNoOtherFile) {
  EXPECT_EQ(name_of(""), "none");
  EXPECT_EQ(name_of(std::string(kElfHeader, 'x')), "none");
  EXPECT_EQ(name_of(header_of(ELFCLASS64, EM_X86_64).substr(0, 19)), "none");
  std::string big_endian = header_of(ELFCLASS64, EM_S390);
  big_endian[EI_DATA] = ELFDATA2MSB;
  EXPECT_EQ(name_of(big_endian), "none");
}

class SectionsTest : public testing::Test {
 protected:
  SectionsTest() : path_("/tmp/hearth-sections-XXXXXX") { file_ = UniqueFd(::mkstemp(path_.data())); }
  ~SectionsTest() override { ::unlink(path_.c_str()); }

  bool has(const std::string& content, std::string_view name) {
    EXPECT_EQ(::ftruncate(file_.get(), 0), 0);
    EXPECT_EQ(::pwrite(file_.get(), content.data(), content.size(), 0), static_cast<ssize_t>(content.size()));
    return has_section(file_.get(), name);
  }

  std::string path_;
  UniqueFd file_;
};

TEST_F(SectionsTest, AreFoundByTheirNames) {
  std::string own = read_file("/proc/self/exe");
  EXPECT_TRUE(has(own, ".text"));
  EXPECT_FALSE(has(own, ".svm_heap"));
  EXPECT_FALSE(has(own, ".tex"));
}

TEST_F(SectionsTest, ABrokenFileHasNone) {
  std::string own = read_file("/proc/self/exe");
  EXPECT_FALSE(has("", ".text"));
  EXPECT_FALSE(has(own.substr(0, 100), ".text")) << "cut";
  auto changed = [&](auto change) {
    std::string content = own;
    Elf64_Ehdr header{};
    std::memcpy(&header, content.data(), sizeof header);
    change(&header);
    std::memcpy(content.data(), &header, sizeof header);
    return content;
  };
  EXPECT_FALSE(has(changed([](Elf64_Ehdr* header) { header->e_shoff = UINT64_MAX; }), ".text"));
  EXPECT_FALSE(has(changed([](Elf64_Ehdr* header) { header->e_shnum = UINT16_MAX; }), ".text"));
  EXPECT_FALSE(has(changed([](Elf64_Ehdr* header) { header->e_shstrndx = header->e_shnum; }), ".text"));
  EXPECT_FALSE(has(changed([](Elf64_Ehdr* header) { header->e_shentsize = 1; }), ".text"));
}

}  // namespace
}  // namespace hearth::launcher
