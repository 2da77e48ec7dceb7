// Encodes one chunk of a recording: its header, metadata, events, and constant pools. Bytes are taken piece by piece;
// after each piece and its header the chunk is whole, and readable. Not thread safe.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profile/jfr/types.h"
#include "profile/names/asprof_frame_type.h"

namespace hearth::profile::jfr {

// The value of a field: a number, also one in a constant pool, a real number, or text.
class Value {
 public:
  constexpr Value(int64_t number) : number_(number) {}
  constexpr Value(double real) : real_(real) {}
  constexpr Value(std::string_view text) : text_(text) {}

 private:
  friend class RecordWriter;

  int64_t number_ = 0;
  double real_ = 0;
  std::string_view text_;
};

struct MethodParts {
  std::string_view class_name;  // java/lang/String; of a native function its library
  std::string_view name;
  std::string_view descriptor;
  bool is_native = false;  // no Java method
};

struct StackEntry {
  int64_t method = 0;  // as ChunkWriter::method()
  int64_t line = 0;
  int64_t bci = 0;
  AsprofFrameType type = AsprofFrameType::kJit;
};

// Relation of ticks and time at the start of a chunk.
struct ChunkClock {
  int64_t unix_ns = 0;
  int64_t ticks = 0;
  int64_t ticks_per_second = 1'000'000'000;
  // Another clock, which is written in place of the ticks: its rate, 0: none, and its value at `ticks`.
  int64_t counter_per_second = 0;
  int64_t counter = 0;

  int64_t written_per_second() const { return counter_per_second == 0 ? ticks_per_second : counter_per_second; }
  int64_t written_span(int64_t span) const {
    return counter_per_second == 0
               ? span
               : static_cast<int64_t>(static_cast<__int128>(span) * counter_per_second / ticks_per_second);
  }
  int64_t written(int64_t at) const { return counter_per_second == 0 ? at : counter + written_span(at - ticks); }
};

// A constant pool, which numbers equal constants equally.
class ConstantPool {
 public:
  explicit ConstantPool(TypeId type, int64_t first = 1) : type_(type), last_(first - 1) {}
  int64_t last() const { return last_; }

  // `encoded`: the constant's fields.
  int64_t number_of(const std::string& encoded);
  // Does not look for an equal one.
  int64_t add(int64_t number, std::string_view encoded);
  int64_t add(std::string_view encoded) { return add(++last_, encoded); }

  bool has_new() const { return new_count_ > 0; }
  // Appends the constants since the last call as the pool of a checkpoint.
  void take_new(std::string* out);
  size_t new_bytes() const { return new_.size(); }

 private:
  TypeId type_;
  int64_t last_;
  uint64_t new_count_ = 0;
  std::string new_;
  std::unordered_map<std::string, int64_t> numbers_;
};

class ChunkWriter {
 public:
  // Numbers must be others than those of chunks before, as the JDK's readers take what they know by number (JDK 25,
  // ChunkParser.fillConstantPools), and `jfr summary` counts by number, whatever it means in a chunk.
  struct FirstNumbers {
    int64_t event = 0;     // is added to the numbers of events' types
    int64_t constant = 1;  // of each pool, except those that are the same in all chunks
  };
  // Larger ones than the JVM's, for a recording that has chunks of the JVM: events' have three bytes and are above the
  // classes of its own events.
  static constexpr FirstNumbers kBesideTheJvm = {1'900'000, int64_t{1} << 27};

  explicit ChunkWriter(const ChunkClock& clock) : ChunkWriter(clock, FirstNumbers()) {}
  ChunkWriter(const ChunkClock& clock, const FirstNumbers& first);

  // Larger than the numbers of all constants so far.
  int64_t next_constant();
  int64_t number_of(TypeId type) const { return number_in_file(type, first_.event); }

  // Each returns the number of a constant. Readers need a symbol also where it is empty.
  int64_t symbol(std::string_view text);
  int64_t java_class(std::string_view name);  // java/lang/String
  int64_t method(const MethodParts& parts);
  int64_t thread(std::string_view name, int64_t tid);
  int64_t text(std::string_view text);  // 0 if it is empty
  int64_t user_event_type(std::string_view name);
  int64_t stack(const std::vector<StackEntry>& frames, bool is_truncated);

  // `values`: one for each field of the type's row; times and durations in ticks.
  void event(TypeId type, std::initializer_list<Value> values);

  const ChunkClock& clock() const { return clock_; }
  // Bytes that the next piece has at least.
  size_t pending() const;
  // Bytes of all pieces so far.
  int64_t size() const { return size_; }

  // Returns what was added since the last piece. The first one begins with a header.
  std::string take_piece(int64_t now_ticks);
  // The header of the chunk with all pieces so far, to be written over the one at its start.
  std::string header(int64_t duration_ns) const;

 private:
  void put_enumerations();
  void put_checkpoint(int64_t now_ticks, std::string* out);

  std::vector<ConstantPool*> pools();

  ChunkClock clock_;
  FirstNumbers first_;

  ConstantPool frame_types_{TypeId::kFrameType};
  ConstantPool thread_states_{TypeId::kThreadState};
  ConstantPool threads_{TypeId::kThread, first_.constant};
  ConstantPool stacks_{TypeId::kStackTrace, first_.constant};
  ConstantPool methods_{TypeId::kMethod, first_.constant};
  ConstantPool classes_{TypeId::kClass, first_.constant};
  ConstantPool packages_{TypeId::kPackage, first_.constant};
  ConstantPool symbols_{TypeId::kSymbol, first_.constant};
  ConstantPool user_event_types_{TypeId::kUserEventType, first_.constant};
  ConstantPool texts_{TypeId::kString, UINT8_MAX + first_.constant};  // beyond all types: see `ownSize` in types.cpp
  std::map<std::pair<uint64_t, uint64_t>, int64_t> stack_numbers_;
  std::string events_;   // since the last piece
  std::string scratch_;  // one constant or event
  int64_t size_ = 0;
  int64_t checkpoint_ = 0;  // offset of the last one
};

// The metadata event: all types, and the fields of each. `first_event` as ChunkWriter::FirstNumbers has it.
void put_metadata_event(const ChunkClock& clock, int64_t first_event, std::string* out);

// Appends numbers as recordings have them.
void put_number(int64_t number, std::string* out);  // LEB128 of at most 9 bytes
void put_text(std::string_view text, std::string* out);
// Appends an event or checkpoint: its size, and its content, which begins with its type.
void put_sized(std::string_view content, std::string* out);
template <typename Number>
void put_big_endian(Number number, std::string* out) {
  for (size_t byte = sizeof(Number); byte-- > 0;)
    out->push_back(static_cast<char>(static_cast<uint64_t>(number) >> (8 * byte)));
}

}  // namespace hearth::profile::jfr
