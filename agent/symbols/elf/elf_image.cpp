#include "symbols/elf/elf_image.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstring>

#include "capture/arch/processor.h"

namespace hearth::symbols {
namespace {

Mapping map_file(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info {};
  if (!fd || ::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0) return {};
  auto size = static_cast<size_t>(info.st_size);
  return {::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0), size};
}

bool is_native_elf(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
         header.e_ident[EI_DATA] == ELFDATA2LSB && header.e_machine == capture::kElfMachine;
}

}  // namespace

ElfImage::ElfImage(const std::string& path) : file_(map_file(path)) {
  auto* header = file_.as<const Elf64_Ehdr>();
  if (file_.size() < sizeof(Elf64_Ehdr) || !is_native_elf(*header)) return;
  header_ = header;
  uint64_t offset = header->e_shoff;
  size_t size = size_t{header->e_shnum} * sizeof(Elf64_Shdr);
  if (header->e_shentsize != sizeof(Elf64_Shdr) || offset % alignof(Elf64_Shdr) != 0 || offset > file_.size() ||
      size > file_.size() - offset)
    return;
  sections_ = reinterpret_cast<const Elf64_Shdr*>(file_.as<const char>() + offset);
  section_count_ = header->e_shnum;
}

const Elf64_Shdr* ElfImage::section(size_t index) const {
  return index < section_count_ ? sections_ + index : nullptr;
}

const Elf64_Shdr* ElfImage::section_named(std::string_view name) const {
  if (section_count_ == 0) return nullptr;
  std::string_view names = content(section(header_->e_shstrndx));
  for (size_t i = 0; i < section_count_; ++i) {
    if (string_at(names, sections_[i].sh_name) == name) return sections_ + i;
  }
  return nullptr;
}

const Elf64_Shdr* ElfImage::section_of_type(uint32_t type) const {
  for (size_t i = 0; i < section_count_; ++i) {
    if (sections_[i].sh_type == type) return sections_ + i;
  }
  return nullptr;
}

std::string_view ElfImage::content(const Elf64_Shdr* section) const {
  return section == nullptr || (section->sh_flags & SHF_COMPRESSED) != 0 ? std::string_view() : raw_content(section);
}

std::string_view ElfImage::raw_content(const Elf64_Shdr* section) const {
  if (section == nullptr || section->sh_type == SHT_NOBITS) return {};
  if (section->sh_offset > file_.size() || section->sh_size > file_.size() - section->sh_offset) return {};
  return bytes().substr(section->sh_offset, section->sh_size);
}

std::string_view ElfImage::build_id() const {
  for (size_t i = 0; i < section_count_; ++i) {
    if (sections_[i].sh_type != SHT_NOTE) continue;
    std::string_view found = build_id_of_notes(content(sections_ + i));
    if (!found.empty()) return found;
  }
  return {};
}

ElfImage::DebugLink ElfImage::debug_link() const {
  std::string_view link = content(section_named(".gnu_debuglink"));
  DebugLink result;
  if (link.size() < sizeof result.crc) return result;
  result.file = string_at(link, 0);
  std::memcpy(&result.crc, link.data() + link.size() - sizeof result.crc, sizeof result.crc);
  return result;
}

std::string_view build_id_of_notes(std::string_view notes) {
  constexpr auto padded = [](size_t size) { return (size + 3) & ~size_t{3}; };
  while (notes.size() >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr note;
    std::memcpy(&note, notes.data(), sizeof note);
    notes.remove_prefix(sizeof note);
    size_t name_size = padded(note.n_namesz);
    if (name_size > notes.size() || note.n_descsz > notes.size() - name_size) return {};
    bool is_build_id = note.n_type == NT_GNU_BUILD_ID && notes.substr(0, note.n_namesz) == std::string_view("GNU\0", 4);
    if (is_build_id) return notes.substr(name_size, note.n_descsz);
    size_t whole = name_size + padded(note.n_descsz);
    if (whole > notes.size()) return {};
    notes.remove_prefix(whole);
  }
  return {};
}

std::string_view string_at(std::string_view table, size_t offset) {
  if (offset >= table.size()) return {};
  size_t end = table.find('\0', offset);
  return end == std::string_view::npos ? std::string_view() : table.substr(offset, end - offset);
}

}  // namespace hearth::symbols
