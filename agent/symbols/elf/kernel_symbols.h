// Kernel addresses to names, from /proc/kallsyms. Outside signals only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hearth::symbols {

class KernelSymbols {
 public:
  // Reads the file; when the kernel hides addresses (kptr_restrict) or the file is not there, available() is false.
  explicit KernelSymbols(const std::string& path = "/proc/kallsyms");
  bool available() const { return !starts_.empty(); }
  std::string resolve(uint64_t address) const;  // "vfs_read", no suffix; "" when unknown

 private:
  std::vector<uint64_t> starts_;  // sorted text symbols
  std::vector<uint32_t> names_;   // offsets into text_
  std::string text_;
};

}  // namespace hearth::symbols
