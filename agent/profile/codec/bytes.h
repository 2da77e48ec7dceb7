// Writes bytes, and reads untrusted bytes: bounds are checked here and nowhere else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile/formats/formats.h"

namespace hearth::profile {

// Unsigned LEB128: seven bits a byte, low ones first.
inline void put_varint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

// Writes sorted texts, each as the length of the prefix shared with the previous one, and the rest.
void put_front_coded(std::string& out, const std::vector<std::string_view>& texts);

// Maps small numbers of either sign to small unsigned ones.
inline uint64_t zigzag(int64_t value) {
  return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
}

inline int64_t unzigzag(uint64_t coded) {
  return static_cast<int64_t>(coded >> 1) ^ -static_cast<int64_t>(coded & 1);
}

// Each read throws FormatError with the input's name and the offset if the input ends too early.
class ByteReader {
 public:
  // `what` names the input in errors and must outlive the reader; `base` is the offset of `bytes` in the input.
  ByteReader(std::string_view bytes, const char* what, size_t base = 0) : bytes_(bytes), what_(what), base_(base) {}

  bool at_end() const { return at_ == bytes_.size(); }
  size_t left() const { return bytes_.size() - at_; }
  size_t offset() const { return base_ + at_; }
  const char* what() const { return what_; }

  uint8_t byte() {
    if (at_end()) fail("it ends too early");
    return static_cast<uint8_t>(bytes_[at_++]);
  }

  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      uint8_t next = byte();
      value |= static_cast<uint64_t>(next & 0x7F) << shift;
      if (next < 0x80) return value;
    }
    fail("a number is longer than 64 bits");
  }

  std::string_view take(uint64_t size) {
    if (size > left()) fail("it ends too early");
    std::string_view taken = bytes_.substr(at_, size);
    at_ += size;
    return taken;
  }

  // Throws FormatError: "INPUT is damaged at byte N: PROBLEM".
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  std::string_view bytes_;
  const char* what_;
  size_t base_;
  size_t at_ = 0;
};

// Memory of one tree node: the node, its entry in the index, and reserve for growth.
inline constexpr uint64_t kNodeCost = 32;

// Limits expansion: some encodings represent very many bytes by a few (shared prefixes, inlined frames, many frames of
// one long name), and deflate by still fewer. An honest file stays far below these limits; a hostile one must neither
// exhaust memory nor take hours.
class ExpansionLimit {
 public:
  // `size`: bytes of the content; `stored`: bytes of the file, fewer if it is compressed.
  ExpansionLimit(size_t size, size_t stored)
      : left_(std::min({16 * kMiB + 256 * uint64_t{size}, 256 * kMiB + 256 * uint64_t{stored}, 4096 * kMiB})) {}

  void spend(uint64_t bytes, const ByteReader& where) {
    if (bytes > left_) where.fail("it unfolds to far more than a file of its size may hold");
    left_ -= bytes;
  }

 private:
  static constexpr uint64_t kMiB = uint64_t{1} << 20;

  uint64_t left_;
};

}  // namespace hearth::profile
