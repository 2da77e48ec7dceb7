// The types of locals and stack at jumps' targets (StackMapTable, JVMS 4.7.4), for code with insertions.
#pragma once

#include <string_view>
#include <vector>

#include "bytecode/code_map.h"
#include "bytecode/constant_pool.h"

namespace hearth::bytecode {

struct VerificationType {
  uint8_t tag;
  uint16_t data;  // class or place of `new`, for those tags that have it
};

struct MethodTypes {
  std::string_view class_name, name, descriptor;
  bool is_static = false;
};
// Returns the types of locals at a method's beginning: of `this` and the arguments.
std::vector<VerificationType> initial_locals(const MethodTypes& method, ConstantPool* pool);

// A local with a long that all code from entry_pc on has, and the handler behind the code that it ends in.
struct TimeLocal {
  size_t index = 0;
  size_t entry_pc = 0;
  uint16_t throwable = 0;  // the class
};

// Rewrites all frames as full ones. `time`: null if no local is added.
class StackMapMover {
 public:
  StackMapMover(const CodeMap& map, size_t max_locals, const TimeLocal* time)
      : map_(map), max_locals_(max_locals), time_(time) {}

  // `table` is the attribute's content.
  void move(ByteReader table, std::vector<VerificationType> locals);
  // Adds the frame of the handler, which is the last.
  void add_handler();
  Bytes take_content();

 private:
  void read_frame(ByteReader* table);
  VerificationType read_type(ByteReader* table) const;
  void chop(size_t count);
  void write_frame(const std::vector<VerificationType>& stack);
  void write_type(const VerificationType& type);
  size_t slots_of_locals() const;

  const CodeMap& map_;
  const size_t max_locals_;
  const TimeLocal* time_;
  std::vector<VerificationType> locals_;  // of the frame that is read
  int64_t old_pc_ = -1;                   // likewise; -1 before the first
  int64_t new_pc_ = -1;
  size_t count_ = 0;
  Bytes frames_ = Bytes(2);  // begins with the count
};

}  // namespace hearth::bytecode
