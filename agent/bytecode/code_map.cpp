#include "bytecode/code_map.h"

#include "bytecode/instructions.h"

namespace hearth::bytecode {
namespace {

// Moves the jumps of one instruction.
class JumpMover {
 public:
  JumpMover(ByteReader code, const CodeMap& map, size_t pc, Bytes* out) : code_(code), map_(map), pc_(pc), out_(out) {
    code_.take(pc);
  }

  void move(size_t length) {
    uint8_t opcode = code_.u1();
    put_u1(out_, opcode);
    if (jumps_by_u2(opcode)) {
      int64_t jump = moved(static_cast<int16_t>(code_.u2()));
      if (jump != static_cast<int16_t>(jump)) throw ClassFileError("a jump would be too long");
      put_u2(out_, static_cast<size_t>(jump));
    } else if (jumps_by_u4(opcode)) {
      move_u4();
    } else if (is_switch(opcode)) {
      move_switch(opcode);
    } else {
      put_bytes(out_, code_.take(length - 1), length - 1);
    }
  }

 private:
  int64_t moved(int64_t jump) const {
    int64_t to = static_cast<int64_t>(pc_) + jump;
    if (to < 0) throw ClassFileError("a jump leaves the code");
    return static_cast<int64_t>(map_.target(static_cast<size_t>(to))) - static_cast<int64_t>(map_.at(pc_));
  }
  void move_u4() { put_u4(out_, static_cast<size_t>(moved(static_cast<int32_t>(code_.u4())))); }
  void copy_u4() { put_u4(out_, code_.u4()); }

  // instruction_length() has checked its size.
  void move_switch(uint8_t opcode) {
    code_.take(padding_of_switch(pc_));
    out_->insert(out_->end(), padding_of_switch(map_.at(pc_)), 0);
    move_u4();
    int64_t first = static_cast<int32_t>(code_.u4());
    put_u4(out_, static_cast<size_t>(first));
    int64_t count = first;
    if (opcode == op::kTableswitch) {
      int64_t last = static_cast<int32_t>(code_.u4());
      put_u4(out_, static_cast<size_t>(last));
      count = last - first + 1;
    }
    for (int64_t i = 0; i < count; i++) {
      if (opcode == op::kLookupswitch) copy_u4();
      move_u4();
    }
  }

  ByteReader code_;
  const CodeMap& map_;
  const size_t pc_;
  Bytes* out_;
};

}  // namespace

CodeMap::CodeMap(ByteReader code, const Insertions& inserted) : places_(code.size() + 1) {
  size_t moved = 0;
  for (size_t pc = 0; pc < code.size();) {
    size_t length = instruction_length(code.begin(), code.size(), pc);
    uint8_t opcode = code.begin()[pc];
    Place place;
    place.begins = true;
    place.before = static_cast<uint32_t>(moved);
    if (pc == inserted.entry_pc) moved += inserted.entry.size();
    place.target = static_cast<uint32_t>(moved);
    if (is_return(opcode)) {
      moved += inserted.exit.size();
      returns_.push_back(pc);
    }
    place.at = static_cast<uint32_t>(moved);
    places_[pc] = place;
    for (size_t inside = pc + 1; inside < pc + length; inside++) places_[inside].at = place.at;
    moved += length;
    // The instruction at `place.at` has another padding.
    if (is_switch(opcode)) moved += padding_of_switch(place.at) - padding_of_switch(pc);
    pc += length;
  }
  auto end = static_cast<uint32_t>(moved);
  places_.back() = {end, end, end, true};
}

const CodeMap::Place& CodeMap::place(size_t pc) const {
  if (pc >= places_.size() || !places_[pc].begins)
    throw ClassFileError("a place in the code is not that of an instruction");
  return places_[pc];
}

size_t CodeMap::near(size_t pc) const {
  if (pc >= places_.size()) throw ClassFileError("a table refers to a place behind the code");
  return places_[pc].begins ? places_[pc].before : places_[pc].at;
}

Bytes move_code(ByteReader code, const CodeMap& map, const Insertions& inserted) {
  Bytes out;
  out.reserve(map.end());
  for (size_t pc = 0; pc < code.size();) {
    size_t length = instruction_length(code.begin(), code.size(), pc);
    if (pc == inserted.entry_pc) put_bytes(&out, inserted.entry);
    if (is_return(code.begin()[pc])) put_bytes(&out, inserted.exit);
    JumpMover(code, map, pc, &out).move(length);
    pc += length;
  }
  return out;
}

}  // namespace hearth::bytecode
