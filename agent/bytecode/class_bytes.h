// Reading and writing of class files (JVMS 4). Numbers are big-endian. Input may be hostile: a read beyond the end
// throws ClassFileError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/error.h"

namespace hearth::bytecode {

using Bytes = std::vector<uint8_t>;

// Class files that are malformed, or a method that cannot take a hook.
class ClassFileError : public Error {
 public:
  using Error::Error;
};

// Reads from bytes that outlive it.
class ByteReader {
 public:
  ByteReader(const uint8_t* bytes, size_t size) : bytes_(bytes), size_(size) {}
  explicit ByteReader(const Bytes& bytes) : ByteReader(bytes.data(), bytes.size()) {}

  uint8_t u1() { return *take(1); }
  uint16_t u2() {
    const uint8_t* at = take(2);
    return static_cast<uint16_t>(at[0] << 8 | at[1]);
  }
  uint32_t u4() {
    uint32_t high = u2();
    return high << 16 | u2();
  }
  // Returns a reader of the next `size` bytes, which it skips.
  ByteReader part(size_t size) {
    const uint8_t* begin = take(size);
    return {begin, size};
  }
  const uint8_t* take(size_t size) {
    if (size > size_ - at_) throw ClassFileError("the class file is cut short");
    const uint8_t* begin = bytes_ + at_;
    at_ += size;
    return begin;
  }
  size_t at() const { return at_; }
  bool at_end() const { return at_ == size_; }
  size_t size() const { return size_; }
  const uint8_t* begin() const { return bytes_; }

 private:
  const uint8_t* bytes_;
  size_t size_;
  size_t at_ = 0;
};

inline void put_u1(Bytes* out, size_t value) {
  out->push_back(static_cast<uint8_t>(value));
}
inline void put_u2(Bytes* out, size_t value) {
  put_u1(out, value >> 8);
  put_u1(out, value);
}
inline void put_u4(Bytes* out, size_t value) {
  put_u2(out, value >> 16);
  put_u2(out, value);
}
inline void put_bytes(Bytes* out, const uint8_t* begin, size_t size) {
  out->insert(out->end(), begin, begin + size);
}
inline void put_bytes(Bytes* out, const Bytes& bytes) {
  out->insert(out->end(), bytes.begin(), bytes.end());
}
// Appends a count or an index that has two bytes in the class file.
inline void put_checked_u2(Bytes* out, size_t value) {
  if (value > UINT16_MAX) throw ClassFileError("a table would have more than 65,535 entries");
  put_u2(out, value);
}

}  // namespace hearth::bytecode
