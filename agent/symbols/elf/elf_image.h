// Parts of an ELF file for symbols and unwind rules. Every read is bounds-checked: a damaged file has no sections and
// causes no fault. Any thread, one at a time; not signal safe.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/owned.h"

namespace hearth::symbols {

class ElfImage {
 public:
  ElfImage() = default;  // empty, as for an unreadable file or one that is no 64-bit ELF file
  explicit ElfImage(const std::string& path);

  explicit operator bool() const { return header_ != nullptr; }
  std::string_view bytes() const { return {file_.as<const char>(), file_.size()}; }

  // Returns a section's header; nullptr if there is none.
  const Elf64_Shdr* section(size_t index) const;
  const Elf64_Shdr* section_named(std::string_view name) const;
  const Elf64_Shdr* section_of_type(uint32_t type) const;
  size_t section_count() const { return section_count_; }
  // Returns a section's content; empty if it has none in the file, or is compressed.
  std::string_view content(const Elf64_Shdr* section) const;
  // The same, compressed or not.
  std::string_view raw_content(const Elf64_Shdr* section) const;
  // The same as an array of T, without an incomplete last element.
  template <typename T>
  struct Array {
    const T* first = nullptr;
    size_t count = 0;
    const T* begin() const { return first; }
    const T* end() const { return first + count; }
  };
  template <typename T>
  Array<T> array(const Elf64_Shdr* section) const {
    std::string_view found = content(section);
    if (found.empty() || reinterpret_cast<uintptr_t>(found.data()) % alignof(T) != 0) return {};
    return {reinterpret_cast<const T*>(found.data()), found.size() / sizeof(T)};
  }

  // Returns the build-id's bytes; empty if there is none.
  std::string_view build_id() const;
  // File name and checksum of the separate debug file (.gnu_debuglink); the name is empty if there is none.
  struct DebugLink {
    std::string_view file;
    uint32_t crc = 0;
  };
  DebugLink debug_link() const;

 private:
  Mapping file_;
  const Elf64_Ehdr* header_ = nullptr;
  const Elf64_Shdr* sections_ = nullptr;
  size_t section_count_ = 0;
};

// Returns the build-id in the content of a note segment or section; empty if there is none.
std::string_view build_id_of_notes(std::string_view notes);

// Returns the NUL-terminated string at `offset` of a string table; empty if it is out of bounds.
std::string_view string_at(std::string_view table, size_t offset);

}  // namespace hearth::symbols
