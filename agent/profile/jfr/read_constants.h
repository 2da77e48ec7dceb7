// The constants of one chunk. References between them are resolved by who follows them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profile/jfr/read_record.h"
#include "profile/jfr/read_types.h"
#include "profile/model/id_index.h"

namespace hearth::profile::jfr::recorded {

// The constants of one type, of which `wanted` fields are kept.
class Pool {
 public:
  Pool() = default;
  Pool(const Types& types, std::string_view type, const std::vector<std::string_view>& wanted);

  uint64_t type() const { return type_; }  // 0: the recording has no such type
  // Reads `count` constants. A later one replaces an earlier one with the same id.
  void read(size_t count, Input* input);

  size_t size() const { return ids_.size(); }
  // The number of the constant with this id, in no order; empty if there is none.
  std::optional<uint32_t> find(uint64_t id) const;
  uint64_t field(uint32_t constant, size_t wanted) const { return values_[constant * width_ + wanted]; }
  const RecordReader& reader() const { return reader_; }

 private:
  uint64_t type_ = 0;
  size_t width_ = 0;
  RecordReader reader_;
  std::vector<uint64_t> ids_;
  std::vector<uint64_t> values_;
  IdIndex index_;
};

// Fields of the pools, by their number.
namespace field {
enum StackTrace : size_t { kFrames, kIsTruncated };
enum Method : size_t { kClass, kMethodName, kDescriptor };
enum Class : size_t { kClassName };
enum Symbol : size_t { kSymbolText };
enum Thread : size_t { kJavaName, kOsName, kOsThread, kJavaThread };
enum Word : size_t { kWord };
enum OldObject : size_t { kObjectClass };
}  // namespace field

class Constants {
 public:
  // `chunk` and `types` outlive the object.
  Constants(const Input& chunk, const Types& types);

  // Reads a checkpoint event, which begins at this place of the chunk. Throws FormatError.
  void read(size_t at);

  // A text as it may be shown; "" if it lacks. Valid until the next call.
  std::string_view symbol(uint64_t id);
  std::string_view class_name(uint64_t id);  // java/lang/String, [I
  std::string_view word(const Pool& pool, uint64_t id);
  // Of a string at this offset of the chunk; 0: "".
  std::string_view string_at(uint64_t offset);
  // Of a field that is a string, or a reference to one.
  std::string_view text(const RecordReader& reader, const Record& record, size_t wanted);

  Pool stack_traces, methods, classes, symbols, threads, frame_types, thread_states, strings, old_objects;

 private:
  void skip(uint64_t type, size_t count, Input* input);

  const Input& chunk_;
  const Types& types_;
  std::unordered_map<uint64_t, RecordReader> skipped_;  // by type
  std::string text_;
};

}  // namespace hearth::profile::jfr::recorded
