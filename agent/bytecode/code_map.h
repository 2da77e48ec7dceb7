// New places of a method's instructions when calls are inserted between them.
#pragma once

#include <vector>

#include "bytecode/class_bytes.h"

namespace hearth::bytecode {

// `entry` comes before the instruction at entry_pc, which jumps reach without it; `exit` before each return, which
// jumps reach with it.
struct Insertions {
  size_t entry_pc = 0;
  Bytes entry, exit;
};

class CodeMap {
 public:
  // Throws ClassFileError where the code is malformed.
  CodeMap(ByteReader code, const Insertions& inserted);

  // Places for the instruction at `pc`, or for the end of the code: before both insertions, between them, and behind
  // them. Throw ClassFileError where no instruction begins.
  size_t before(size_t pc) const { return place(pc).before; }
  size_t target(size_t pc) const { return place(pc).target; }
  size_t at(size_t pc) const { return place(pc).at; }
  // As before(), or as at() for a byte inside of an instruction.
  size_t near(size_t pc) const;

  const std::vector<size_t>& returns() const { return returns_; }  // old places, ascending
  size_t end() const { return places_.back().at; }                 // of the new code

 private:
  struct Place {
    uint32_t before = 0, target = 0, at = 0;
    bool begins = false;
  };
  const Place& place(size_t pc) const;

  std::vector<Place> places_;
  std::vector<size_t> returns_;
};

// Returns the code with the insertions; jumps and switches are adjusted. Throws ClassFileError if a jump would be too
// long or the code is malformed.
Bytes move_code(ByteReader code, const CodeMap& map, const Insertions& inserted);

}  // namespace hearth::bytecode
