// Reads the untrusted bytes of one chunk: bounds are checked here and nowhere else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "profile/formats/formats.h"

namespace hearth::profile::jfr::recorded {

// Each read throws FormatError with the offset in the recording if the bytes end too early.
class Input {
 public:
  // `base`: offset of the chunk in the recording. `compressed`: integers are LEB128.
  Input(std::string_view chunk, size_t base, bool compressed)
      : chunk_(chunk), end_(chunk.size()), base_(base), compressed_(compressed) {}

  // The same bytes from `at` to `end`, offsets in the chunk. Throws FormatError unless they are inside of the chunk.
  Input part(size_t at, size_t end) const;

  // The fields of a metadata event or checkpoint that begins at `at`, behind its size, type, time and duration.
  Input event_fields(size_t at) const;

  Input from(size_t at) const { return part(at, chunk_.size()); }

  size_t at() const { return at_; }  // offset in the chunk
  size_t left() const { return end_ - at_; }

  uint8_t byte() {
    if (at_ == end_) fail("it ends too early");
    return static_cast<uint8_t>(chunk_[at_++]);
  }

  // An integer of this many bytes where integers are not compressed.
  uint64_t number(unsigned width) { return compressed_ ? varint() : fixed(width); }
  uint64_t number() { return number(8); }
  // A number of things that take at least one byte each.
  size_t count() {
    uint64_t count = number(4);
    if (count > left()) fail("it ends too early");
    return count;
  }

  std::string_view take(uint64_t size) {
    if (size > left()) fail("it ends too early");
    std::string_view taken = chunk_.substr(at_, size);
    at_ += size;
    return taken;
  }
  void skip(uint64_t size) { take(size); }

  // Skips a string, with its encoding.
  void skip_string();
  // Reads a string as UTF-8, which need not be valid; views of the chunk where it has the bytes, else of `text`.
  // A reference to a constant is "" and sets `*constant` to its id.
  std::string_view string(std::string* text, uint64_t* constant);

  // Throws FormatError: "the recording is damaged at byte N: PROBLEM".
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  static constexpr size_t kLongest = 9;

  uint64_t varint() {
    size_t most = left() < kLongest ? left() : kLongest;
    uint64_t value = 0;
    for (size_t i = 0; i < most; ++i) {
      auto next = static_cast<uint8_t>(chunk_[at_ + i]);
      bool is_last = next < 0x80 || i + 1 == kLongest;
      // The ninth byte has eight bits.
      value |= static_cast<uint64_t>(i + 1 == kLongest ? next : next & 0x7F) << (7 * i);
      if (!is_last) continue;
      at_ += i + 1;
      return value;
    }
    fail("it ends too early");
  }

  uint64_t fixed(unsigned width) {
    std::string_view bytes = take(width);
    uint64_t value = 0;
    for (char one : bytes) value = value << 8 | static_cast<uint8_t>(one);
    // Sign of an int, as LEB128 of its 64 bits has it in some writers.
    return width == 4 ? static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(value))) : value;
  }

  void put_chars(size_t count, std::string* text);

  std::string_view chunk_;
  size_t at_ = 0;
  size_t end_;
  size_t base_;
  bool compressed_;
};

}  // namespace hearth::profile::jfr::recorded
