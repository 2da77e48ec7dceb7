#include "bytecode/constant_pool.h"

namespace hearth::bytecode {
namespace {

enum Tag : uint8_t {
  kUtf8 = 1,
  kInteger = 3,
  kFloat = 4,
  kLong = 5,
  kDouble = 6,
  kClass = 7,
  kString = 8,
  kFieldRef = 9,
  kMethodRef = 10,
  kInterfaceMethodRef = 11,
  kNameAndType = 12,
  kMethodHandle = 15,
  kMethodType = 16,
  kDynamic = 17,
  kInvokeDynamic = 18,
  kModule = 19,
  kPackage = 20,
};

constexpr uint32_t kNoEntry = UINT32_MAX;

// Bytes behind the tag, except those of text.
size_t size_of(uint8_t tag) {
  switch (tag) {
    case kUtf8:
    case kClass:
    case kString:
    case kMethodType:
    case kModule:
    case kPackage:
      return 2;
    case kMethodHandle:
      return 3;
    case kInteger:
    case kFloat:
    case kFieldRef:
    case kMethodRef:
    case kInterfaceMethodRef:
    case kNameAndType:
    case kDynamic:
    case kInvokeDynamic:
      return 4;
    case kLong:
    case kDouble:
      return 8;
    default:
      throw ClassFileError("the class file has an unknown constant");
  }
}

std::string_view text_in(ByteReader entry) {
  size_t size = entry.u2();
  return {reinterpret_cast<const char*>(entry.take(size)), size};
}

}  // namespace

ConstantPool::ConstantPool(ByteReader* reader) {
  count_ = reader->u2();
  if (count_ == 0) throw ClassFileError("the class file has no constant pool");
  offsets_.assign(count_, kNoEntry);
  size_t begin = reader->at();
  for (size_t index = 1; index < count_; index++) {
    offsets_[index] = static_cast<uint32_t>(reader->at() - begin);
    uint8_t tag = reader->u1();
    if (tag == kUtf8) {
      reader->take(reader->u2());
    } else {
      reader->take(size_of(tag));
    }
    if (tag == kLong || tag == kDouble) index++;
  }
  original_ = ByteReader(reader->begin() + begin, reader->at() - begin);
}

// The content behind the tag.
ByteReader ConstantPool::entry(uint16_t index, uint8_t tag) const {
  if (index >= offsets_.size() || offsets_[index] == kNoEntry)
    throw ClassFileError("the class file refers to a missing constant");
  ByteReader found(original_.begin() + offsets_[index], original_.size() - offsets_[index]);
  if (found.u1() != tag) throw ClassFileError("the class file refers to a constant of a wrong kind");
  return found;
}

std::string_view ConstantPool::utf8(uint16_t index) const {
  return text_in(entry(index, kUtf8));
}

std::string_view ConstantPool::class_name(uint16_t index) const {
  return utf8(entry(index, kClass).u2());
}

ConstantPool::Reference ConstantPool::method(uint16_t index) const {
  bool is_method =
      index < offsets_.size() && offsets_[index] != kNoEntry && original_.begin()[offsets_[index]] == kMethodRef;
  ByteReader reference = entry(index, is_method ? kMethodRef : kInterfaceMethodRef);
  std::string_view owner = class_name(reference.u2());
  ByteReader name = entry(reference.u2(), kNameAndType);
  std::string_view text = utf8(name.u2());
  return {owner, text, utf8(name.u2())};
}

uint16_t ConstantPool::add(const Bytes& entry) {
  auto [found, is_new] = added_indexes_.try_emplace(entry, static_cast<uint16_t>(count_));
  if (!is_new) return found->second;
  if (count_ >= UINT16_MAX) {
    added_indexes_.erase(found);
    throw ClassFileError("its class has no free constants");
  }
  put_bytes(&added_, entry);
  return static_cast<uint16_t>(count_++);
}

uint16_t ConstantPool::add_utf8(std::string_view text) {
  Bytes bytes = {kUtf8};
  put_checked_u2(&bytes, text.size());
  put_bytes(&bytes, reinterpret_cast<const uint8_t*>(text.data()), text.size());
  return add(bytes);
}

void ConstantPool::find_classes() {
  knows_classes_ = true;
  for (size_t index = 1; index < offsets_.size(); index++) {
    if (offsets_[index] == kNoEntry || original_.begin()[offsets_[index]] != kClass) continue;
    classes_.emplace(class_name(static_cast<uint16_t>(index)), static_cast<uint16_t>(index));
  }
}

uint16_t ConstantPool::add_class(std::string_view name) {
  if (!knows_classes_) find_classes();
  if (auto found = classes_.find(name); found != classes_.end()) return found->second;
  Bytes bytes = {kClass};
  put_u2(&bytes, add_utf8(name));
  return add(bytes);
}

uint16_t ConstantPool::add_static_method(std::string_view owner, std::string_view name, std::string_view descriptor) {
  Bytes name_and_type = {kNameAndType};
  put_u2(&name_and_type, add_utf8(name));
  put_u2(&name_and_type, add_utf8(descriptor));
  Bytes reference = {kMethodRef};
  put_u2(&reference, add_class(owner));
  put_u2(&reference, add(name_and_type));
  return add(reference);
}

void ConstantPool::write(Bytes* out) const {
  put_u2(out, count_);
  put_bytes(out, original_.begin(), original_.size());
  put_bytes(out, added_);
}

}  // namespace hearth::bytecode
