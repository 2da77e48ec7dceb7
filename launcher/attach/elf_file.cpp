#include "launcher/attach/elf_file.h"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/formatted.h"

namespace hearth::launcher {
namespace {

constexpr size_t kMostSections = 10'000, kMostNames = size_t{1} << 20;

bool read_at(int fd, uint64_t offset, void* to, size_t size) {
  if (offset > INT64_MAX - size) return false;
  return ::pread(fd, to, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
}

}  // namespace

bool Processor::is_supported() const {
  return is_64_bit && (machine == EM_X86_64 || machine == EM_AARCH64);
}

std::string Processor::name() const {
  const char* bits = is_64_bit ? "64" : "32";
  switch (machine) {
    case EM_X86_64:
      return is_64_bit ? "x86-64" : "x32";
    case EM_AARCH64:
      return is_64_bit ? "aarch64" : "32-bit aarch64";
    case EM_386:
      return "32-bit x86";
    case EM_ARM:
      return "32-bit ARM";
    case EM_PPC64:
      return "ppc64";
    case EM_S390:
      return formatted("{}-bit s390", bits);
    case EM_RISCV:
      return formatted("{}-bit RISC-V", bits);
    default:
      return formatted("another {}-bit processor (ELF machine {})", bits, machine);
  }
}

std::optional<Processor> processor_of(std::string_view content) {
  // All that is read here has the same place in 32-bit files.
  constexpr size_t kRead = offsetof(Elf64_Ehdr, e_machine) + sizeof(Elf64_Ehdr::e_machine);
  bool is_elf = content.size() >= kRead && content.compare(0, SELFMAG, ELFMAG) == 0;
  if (!is_elf || content[EI_DATA] != ELFDATA2LSB) return std::nullopt;
  Processor processor;
  processor.is_64_bit = content[EI_CLASS] == ELFCLASS64;
  std::memcpy(&processor.machine, content.data() + offsetof(Elf64_Ehdr, e_machine), sizeof processor.machine);
  return processor;
}

bool has_section(int fd, std::string_view name) {
  Elf64_Ehdr header{};
  if (!read_at(fd, 0, &header, sizeof header)) return false;
  std::string_view bytes(reinterpret_cast<const char*>(&header), sizeof header);
  std::optional<Processor> processor = processor_of(bytes);
  bool is_known = processor && processor->is_64_bit && header.e_shentsize == sizeof(Elf64_Shdr) &&
                  header.e_shnum <= kMostSections && header.e_shstrndx < header.e_shnum;
  if (!is_known) return false;
  std::string table(header.e_shnum * sizeof(Elf64_Shdr), '\0');
  if (!read_at(fd, header.e_shoff, table.data(), table.size())) return false;
  auto section = [&table](size_t number) {
    Elf64_Shdr found{};
    std::memcpy(&found, table.data() + number * sizeof found, sizeof found);
    return found;
  };
  Elf64_Shdr of_names = section(header.e_shstrndx);
  std::string names(std::min<uint64_t>(of_names.sh_size, kMostNames), '\0');
  if (!read_at(fd, of_names.sh_offset, names.data(), names.size())) return false;
  for (size_t number = 0; number < header.e_shnum; number++) {
    size_t at = section(number).sh_name;
    if (at < names.size() && names.c_str() + at == name) return true;
  }
  return false;
}

}  // namespace hearth::launcher
