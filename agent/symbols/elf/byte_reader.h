// A cursor over untrusted bytes: a read past the end returns zero and marks the reader as failed, without a fault.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hearth::symbols {

class ByteReader {
 public:
  ByteReader() = default;
  // Reads [position, limit) of `bytes`, which must outlive the reader.
  ByteReader(const uint8_t* bytes, size_t position, size_t limit) : bytes_(bytes), position_(position), limit_(limit) {
    if (position_ > limit_) fail();
  }

  bool failed() const { return failed_; }
  bool at_end() const { return position_ >= limit_; }
  size_t position() const { return position_; }
  size_t left() const { return limit_ - position_; }

  template <typename T>
  T fixed() {
    T value{};
    if (left() < sizeof(T)) {
      fail();
      return value;
    }
    std::memcpy(&value, bytes_ + position_, sizeof(T));
    position_ += sizeof(T);
    return value;
  }

  uint64_t uleb() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      auto byte = fixed<uint8_t>();
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
  }

  int64_t sleb() {
    uint64_t value = 0;
    for (unsigned shift = 0;;) {
      auto byte = fixed<uint8_t>();
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      shift += 7;
      if ((byte & 0x80) != 0) continue;
      if (shift < 64 && (byte & 0x40) != 0) value |= ~uint64_t{0} << shift;
      return static_cast<int64_t>(value);
    }
  }

  void skip(uint64_t count) {
    if (count > left()) {
      fail();
    } else {
      position_ += count;
    }
  }

  // Returns a reader of the next `count` bytes; this one continues after them.
  ByteReader take(uint64_t count) {
    size_t start = position_;
    skip(count);
    return failed_ ? ByteReader() : ByteReader(bytes_, start, position_);
  }

  bool next_is(const void* expected, size_t size) const {
    return left() == size && size > 0 && std::memcmp(bytes_ + position_, expected, size) == 0;
  }

  // Returns a NUL-terminated string, or nullptr.
  const char* text() {
    const void* end = left() == 0 ? nullptr : std::memchr(bytes_ + position_, 0, left());
    if (end == nullptr) {
      fail();
      return nullptr;
    }
    const char* start = reinterpret_cast<const char*>(bytes_) + position_;
    position_ = static_cast<const uint8_t*>(end) - bytes_ + 1;
    return start;
  }

 private:
  void fail() {
    failed_ = true;
    position_ = limit_;
  }

  const uint8_t* bytes_ = nullptr;
  size_t position_ = 0;
  size_t limit_ = 0;
  bool failed_ = false;
};

}  // namespace hearth::symbols
