// A recording on disk. Whole pieces of chunks are appended, and after each the header of its chunk: a reader finds a
// readable file at any time. Not thread safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/owned.h"

namespace hearth::profile::jfr {

class ChunkFile {
 public:
  // Creates a temporary file next to `path`, which replaces it with the first piece. Throws FileError.
  explicit ChunkFile(std::string path);
  ChunkFile(const ChunkFile&) = delete;
  ChunkFile& operator=(const ChunkFile&) = delete;
  ~ChunkFile();

  // `header`: of the chunk with this piece. Throws FileError; then the file is as before.
  void append(std::string_view piece, std::string_view header);
  // The next piece begins a chunk.
  void end_chunk() { chunk_ = size_; }

  // Whether the file is still the one of its name; it may have been moved, replaced or deleted.
  bool is_at_its_place() const;
  const std::string& path() const { return path_; }
  int64_t size() const { return size_; }
  // No more pieces will come.
  void close() { fd_.reset(); }

 private:
  void put_at(int64_t offset, std::string_view bytes);
  [[noreturn]] void fail(int error) const;

  std::string path_;
  std::string temporary_;  // "": it has its name
  UniqueFd fd_;
  uint64_t device_ = 0, inode_ = 0;
  int64_t size_ = 0;
  int64_t chunk_ = 0;  // offset of the current one
};

}  // namespace hearth::profile::jfr
