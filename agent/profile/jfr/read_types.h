// The types of one chunk, from its metadata event: names and fields of events and constants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profile/jfr/read_input.h"
#include "profile/model/string_arena.h"

namespace hearth::profile::jfr::recorded {

// Unit of a field that is a time or a duration; kNone for others.
enum class TimeUnit : uint8_t { kNone, kTicks, kNanoseconds, kMicroseconds, kMilliseconds, kSeconds };

struct Field {
  std::string_view name;
  uint64_t type;
  bool is_constant;  // the id of a constant
  bool is_array;
  TimeUnit unit;
};

struct Type {
  std::string_view name;
  std::vector<Field> fields;
};

// Movable; its texts stay valid after a move.
class Types {
 public:
  // `event`: the metadata event behind its id. Throws FormatError.
  explicit Types(Input event);

  // Null if there is none.
  const Type* of(uint64_t id) const;
  // The id of the type with this name; 0 if there is none (that is the id of metadata).
  uint64_t id_of(std::string_view name) const;

 private:
  struct Attribute {
    std::string_view key;
    std::string_view value;
  };
  struct Annotation {  // of a field
    uint64_t owner;    // type and number of the field
    size_t field;
    uint64_t type;
    std::string_view value;
  };

  void read_strings(Input* event);
  void read_element(Input* event, uint64_t owner, size_t depth);
  void read_attributes(Input* event);
  std::string_view attribute(std::string_view key) const;
  uint64_t number(std::string_view key) const;
  void resolve_units();

  StringArena texts_;
  std::vector<std::string_view> strings_;
  std::vector<Attribute> attributes_;  // of the current element
  std::vector<Annotation> annotations_;
  std::unordered_map<uint64_t, Type> types_;
  std::unordered_map<std::string_view, uint64_t> ids_;
};

}  // namespace hearth::profile::jfr::recorded
