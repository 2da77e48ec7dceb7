// Reads records of one type, which are events or constants: takes the wanted fields and skips the others, as the
// chunk's metadata describe them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "profile/jfr/read_input.h"
#include "profile/jfr/read_types.h"

namespace hearth::profile::jfr::recorded {

inline constexpr size_t kMostWanted = 24;

// By number of the wanted field: a number, the id of a constant, or the offset of a string or an array in the chunk; 0
// if the type has no such field.
using Record = std::array<uint64_t, kMostWanted>;

class RecordReader {
 public:
  RecordReader() = default;
  // `wanted`: at most kMostWanted names of fields, "object.type" for a field of a nested one; "" is none. Of a type
  // that is a string itself the first one is the string. Throws FormatError for a type that is nested without end.
  RecordReader(const Types& types, uint64_t type, const std::vector<std::string_view>& wanted);

  bool has(size_t wanted) const { return has_[wanted]; }
  bool is_constant(size_t wanted) const { return is_constant_[wanted]; }
  TimeUnit unit(size_t wanted) const { return units_[wanted]; }

  void read(Input* input, Record* record) const { read(steps_, input, record); }
  void skip(Input* input) const;
  // Reads the elements of an array at the input's place: calls use(record) for each.
  template <typename Use>
  static void read_array(const RecordReader& element, Input* input, const Use& use) {
    Record record{};
    for (size_t count = input->count(); count > 0; --count) {
      element.read(input, &record);
      use(record);
    }
  }

 private:
  enum class Kind : uint8_t { kNumber, kByte, kBytes, kString, kArray };
  static constexpr uint8_t kUnwanted = kMostWanted;

  struct Step {
    Kind kind;
    uint8_t width;      // of a number that is not compressed; of bytes
    uint8_t wanted;     // kUnwanted: skipped
    uint32_t elements;  // of an array: number of its steps, which follow
  };

  class Builder;

  static void read(const std::vector<Step>& steps, Input* input, Record* record);
  static void read_step(const Step* step, Input* input, Record* record);
  static void skip_elements(const Step* array, Input* input);

  std::vector<Step> steps_;
  std::array<bool, kMostWanted> has_{};
  std::array<bool, kMostWanted> is_constant_{};
  std::array<TimeUnit, kMostWanted> units_{};
};

}  // namespace hearth::profile::jfr::recorded
