// The part of the protobuf wire format that profiles use, and the field numbers of profile.proto's messages
// (github.com/google/pprof/blob/main/proto/profile.proto).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "profile/codec/bytes.h"

namespace hearth::profile::proto {

enum class Wire : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

namespace profile_field {
enum : uint32_t {
  kSampleType = 1,
  kSample = 2,
  kMapping = 3,
  kLocation = 4,
  kFunction = 5,
  kStringTable = 6,
  kTimeNanos = 9,
  kDurationNanos = 10,
  kPeriodType = 11,
  kPeriod = 12,
  kComment = 13,
  kDefaultSampleType = 14,
};
}
namespace value_type_field {
enum : uint32_t { kType = 1, kUnit = 2 };
}
namespace sample_field {
enum : uint32_t { kLocationId = 1, kValue = 2, kLabel = 3 };
}
namespace label_field {
enum : uint32_t { kKey = 1, kText = 2, kNumber = 3, kUnit = 4 };
}
namespace mapping_field {
enum : uint32_t {
  kId = 1,
  kFileName = 5,
  kHasFunctions = 7,
  kHasFileNames = 8,
  kHasLineNumbers = 9,
  kHasInlineFrames = 10
};
}
namespace location_field {
enum : uint32_t { kId = 1, kMappingId = 2, kAddress = 3, kLine = 4 };
}
namespace line_field {
enum : uint32_t { kFunctionId = 1, kLine = 2 };
}
namespace function_field {
enum : uint32_t { kId = 1, kName = 2, kSystemName = 3, kFileName = 4 };
}

inline void put_tag(std::string& out, uint32_t field, Wire wire) {
  put_varint(out, uint64_t{field} << 3 | static_cast<uint8_t>(wire));
}

// A number field; zero is the default and is not written. Negative numbers take ten bytes, as protobuf's int64.
inline void put_number(std::string& out, uint32_t field, int64_t value) {
  if (value == 0) return;
  put_tag(out, field, Wire::kVarint);
  put_varint(out, static_cast<uint64_t>(value));
}

// As in a packed field.
inline void append_fixed64(std::string& out, uint64_t value) {
  for (int byte = 0; byte < 8; byte++) out.push_back(static_cast<char>(value >> 8 * byte));
}

inline void put_fixed64(std::string& out, uint32_t field, uint64_t value) {
  put_tag(out, field, Wire::kFixed64);
  append_fixed64(out, value);
}

// A text, a message or packed numbers.
inline void put_bytes(std::string& out, uint32_t field, std::string_view bytes) {
  put_tag(out, field, Wire::kBytes);
  put_varint(out, bytes.size());
  out += bytes;
}

// Iterates over the fields of one message. Every call may throw FormatError.
class Message {
 public:
  // `what` names the input in errors and must outlive the message.
  Message(std::string_view bytes, size_t base, const char* what = "the pprof profile") : reader_(bytes, what, base) {}

  // Advances to the next field; false at the end.
  bool next() {
    if (reader_.at_end()) return false;
    uint64_t tag = reader_.varint();
    if (tag >> 3 == 0 || tag >> 32 != 0) reader_.fail("not a protobuf field");
    field_ = static_cast<uint32_t>(tag >> 3);
    wire_ = static_cast<Wire>(tag & 7);
    switch (wire_) {
      case Wire::kVarint:
        number_ = reader_.varint();
        return true;
      case Wire::kBytes:
        read_bytes(reader_.varint());
        return true;
      case Wire::kFixed64:
        read_bytes(8);
        return true;
      case Wire::kFixed32:
        read_bytes(4);
        return true;
    }
    reader_.fail("a protobuf field of a kind that no profile has");
  }

  uint32_t field() const { return field_; }

  uint64_t number() const {
    if (wire_ != Wire::kVarint) reader_.fail("a number was expected");
    return number_;
  }
  int64_t signed_number() const { return static_cast<int64_t>(number()); }

  std::string_view bytes() const {
    if (wire_ != Wire::kBytes) reader_.fail("a text or a message was expected");
    return bytes_;
  }
  Message message() const { return {bytes(), bytes_at_, reader_.what()}; }

  // The numbers of a repeated field: one, or many when they are packed.
  template <typename Each>
  void numbers(const Each& each) const {
    if (wire_ == Wire::kVarint) return each(number_);
    ByteReader packed(bytes(), reader_.what(), bytes_at_);
    while (!packed.at_end()) each(packed.varint());
  }

  // As numbers(), of 8 bytes each.
  template <typename Each>
  void fixed64s(const Each& each) const {
    if (wire_ == Wire::kVarint || bytes_.size() % 8 != 0) reader_.fail("numbers of 8 bytes were expected");
    for (size_t at = 0; at < bytes_.size(); at += 8) {
      uint64_t value = 0;
      for (size_t byte = 8; byte-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes_[at + byte]);
      each(value);
    }
  }

  Wire wire() const { return wire_; }
  const ByteReader& where() const { return reader_; }

 private:
  void read_bytes(uint64_t size) {
    bytes_at_ = reader_.offset();
    bytes_ = reader_.take(size);
  }

  ByteReader reader_;
  uint32_t field_ = 0;
  Wire wire_ = Wire::kVarint;
  uint64_t number_ = 0;
  std::string_view bytes_;
  size_t bytes_at_ = 0;
};

}  // namespace hearth::profile::proto
