// A regular file as memory: large files are read without a copy.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/owned.h"

namespace hearth {

class MappedFile {
 public:
  // Throws FileError with the path and the reason. Empty if it is no regular file, or if it has no bytes.
  explicit MappedFile(const std::string& path);

  explicit operator bool() const { return static_cast<bool>(mapping_); }
  // A process that truncates the file meanwhile makes reads beyond its new end fatal (SIGBUS).
  std::string_view bytes() const { return {mapping_.as<const char>(), mapping_.size()}; }
  // Releases the memory of bytes that are not needed any more; they can still be read.
  void release(size_t begin, size_t end) const;

 private:
  Mapping mapping_;
};

}  // namespace hearth
