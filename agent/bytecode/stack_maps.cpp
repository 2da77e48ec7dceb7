#include "bytecode/stack_maps.h"

#include <algorithm>
#include <utility>

namespace hearth::bytecode {
namespace {

enum Tag : uint8_t { kTop, kInteger, kFloat, kDouble, kLong, kNull, kUninitializedThis, kObject, kUninitialized };

constexpr uint8_t kSameLast = 63, kOneStackLast = 127, kOneStackExtended = 247, kSameExtended = 251, kFull = 255;
// Of a method of usual size it is thousands. A hostile one would need gigabytes.
constexpr size_t kMostBytes = 4 << 20;

bool has_two_slots(const VerificationType& type) {
  return type.tag == kDouble || type.tag == kLong;
}

// Reads the type at the descriptor's begin, which it removes.
VerificationType take_type(std::string_view* descriptor, ConstantPool* pool) {
  size_t dimensions = std::min(descriptor->find_first_not_of('['), descriptor->size());
  if (dimensions == descriptor->size()) throw ClassFileError("a method's descriptor is malformed");
  char kind = (*descriptor)[dimensions];
  size_t length = dimensions + 1;
  if (kind == 'L') {
    size_t end = descriptor->find(';');
    if (end == std::string_view::npos) throw ClassFileError("a method's descriptor is malformed");
    length = end + 1;
  }
  std::string_view type = descriptor->substr(0, length);
  descriptor->remove_prefix(length);
  if (dimensions > 0) return {kObject, pool->add_class(type)};
  switch (kind) {
    case 'L':
      return {kObject, pool->add_class(type.substr(1, type.size() - 2))};
    case 'J':
      return {kLong, 0};
    case 'D':
      return {kDouble, 0};
    case 'F':
      return {kFloat, 0};
    case 'B':
    case 'C':
    case 'I':
    case 'S':
    case 'Z':
      return {kInteger, 0};
    default:
      throw ClassFileError("a method's descriptor is malformed");
  }
}

}  // namespace

std::vector<VerificationType> initial_locals(const MethodTypes& method, ConstantPool* pool) {
  std::vector<VerificationType> locals;
  if (!method.is_static) {
    locals.push_back(method.name == "<init>" ? VerificationType{kUninitializedThis, 0}
                                             : VerificationType{kObject, pool->add_class(method.class_name)});
  }
  std::string_view left = method.descriptor;
  if (left.empty() || left[0] != '(') throw ClassFileError("a method's descriptor is malformed");
  left.remove_prefix(1);
  while (!left.empty() && left[0] != ')') locals.push_back(take_type(&left, pool));
  return locals;
}

void StackMapMover::move(ByteReader table, std::vector<VerificationType> locals) {
  locals_ = std::move(locals);
  for (size_t left = table.u2(); left > 0; left--) read_frame(&table);
  if (!table.at_end()) throw ClassFileError("a StackMapTable is longer than its frames");
}

VerificationType StackMapMover::read_type(ByteReader* table) const {
  VerificationType type = {table->u1(), 0};
  if (type.tag > kUninitialized) throw ClassFileError("a StackMapTable has an unknown type");
  if (type.tag >= kObject) type.data = table->u2();
  return type;
}

void StackMapMover::chop(size_t count) {
  if (count > locals_.size()) throw ClassFileError("a StackMapTable removes missing locals");
  locals_.resize(locals_.size() - count);
}

void StackMapMover::read_frame(ByteReader* table) {
  uint8_t kind = table->u1();
  if (kind > kOneStackLast && kind < kOneStackExtended) throw ClassFileError("a StackMapTable has an unknown frame");
  size_t delta = kind <= kOneStackLast ? kind % (kSameLast + 1) : table->u2();
  old_pc_ += static_cast<int64_t>(delta) + 1;
  std::vector<VerificationType> stack;
  if (kind == kFull) {
    locals_.clear();
    for (size_t left = table->u2(); left > 0; left--) locals_.push_back(read_type(table));
    for (size_t left = table->u2(); left > 0; left--) stack.push_back(read_type(table));
  } else if (kind > kSameExtended) {
    for (int left = kind - kSameExtended; left > 0; left--) locals_.push_back(read_type(table));
  } else if (kind > kOneStackExtended) {
    chop(kSameExtended - kind);
  } else if (kind > kSameLast) {
    stack.push_back(read_type(table));
  }
  write_frame(stack);
}

size_t StackMapMover::slots_of_locals() const {
  size_t slots = 0;
  for (const VerificationType& type : locals_) slots += has_two_slots(type) ? 2 : 1;
  if (slots > max_locals_) throw ClassFileError("a StackMapTable has more locals than the method");
  return slots;
}

void StackMapMover::write_type(const VerificationType& type) {
  put_u1(&frames_, type.tag);
  if (type.tag == kObject) put_u2(&frames_, type.data);
  if (type.tag == kUninitialized) put_checked_u2(&frames_, map_.at(type.data));
}

void StackMapMover::write_frame(const std::vector<VerificationType>& stack) {
  int64_t before = std::exchange(new_pc_, static_cast<int64_t>(map_.target(static_cast<size_t>(old_pc_))));
  put_u1(&frames_, kFull);
  put_checked_u2(&frames_, static_cast<size_t>(new_pc_ - before - 1));
  size_t slots = slots_of_locals();
  bool has_time = time_ != nullptr && old_pc_ >= static_cast<int64_t>(time_->entry_pc);
  size_t padding = has_time ? time_->index - slots : 0;
  put_checked_u2(&frames_, locals_.size() + padding + (has_time ? 1 : 0));
  for (const VerificationType& type : locals_) {
    if (has_time && type.tag == kUninitializedThis)
      throw ClassFileError("a constructor calls another at several places");
    write_type(type);
  }
  frames_.insert(frames_.end(), padding, kTop);
  if (has_time) put_u1(&frames_, kLong);
  put_checked_u2(&frames_, stack.size());
  for (const VerificationType& type : stack) write_type(type);
  count_++;
  if (frames_.size() > kMostBytes) throw ClassFileError("its StackMapTable would be too large");
}

void StackMapMover::add_handler() {
  locals_.clear();
  int64_t end = static_cast<int64_t>(map_.end());
  put_u1(&frames_, kFull);
  put_checked_u2(&frames_, static_cast<size_t>(end - new_pc_ - 1));
  put_checked_u2(&frames_, time_->index + 1);
  frames_.insert(frames_.end(), time_->index, kTop);
  put_u1(&frames_, kLong);
  put_u2(&frames_, 1);
  write_type({kObject, time_->throwable});
  count_++;
}

Bytes StackMapMover::take_content() {
  if (count_ > UINT16_MAX) throw ClassFileError("its StackMapTable would be too large");
  frames_[0] = static_cast<uint8_t>(count_ >> 8);
  frames_[1] = static_cast<uint8_t>(count_);
  return std::move(frames_);
}

}  // namespace hearth::bytecode
