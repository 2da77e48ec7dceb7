// Names of kernel addresses, from /proc/kallsyms. Outside signals only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hearth::symbols {

class KernelSymbols {
 public:
  // Reads the file. available() is false if the kernel hides addresses (kptr_restrict) or the file does not exist.
  explicit KernelSymbols(const std::string& path = "/proc/kallsyms");
  bool available() const { return !starts_.empty(); }
  std::string resolve(uint64_t address) const;  // "vfs_read", no suffix; "" if unknown

 private:
  std::vector<uint64_t> starts_;  // sorted text symbols
  std::vector<uint32_t> names_;   // offsets into text_
  std::string text_;
};

}  // namespace hearth::symbols
