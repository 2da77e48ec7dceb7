// The constant pool of a class file: names of its entries, and new entries at its end.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bytecode/class_bytes.h"

namespace hearth::bytecode {

class ConstantPool {
 public:
  struct Reference {
    std::string_view owner, name, descriptor;
  };

  // Reads count and entries; `reader` then is behind them, and its bytes outlive the pool.
  explicit ConstantPool(ByteReader* reader);

  // Each throws ClassFileError if the entry is of another kind. Views live as long as the bytes.
  std::string_view utf8(uint16_t index) const;
  std::string_view class_name(uint16_t index) const;
  Reference method(uint16_t index) const;  // of a class or an interface

  // Return the index of an entry, which they add if need be; throw ClassFileError when the pool is full.
  uint16_t add_utf8(std::string_view text);
  uint16_t add_class(std::string_view name);
  uint16_t add_static_method(std::string_view owner, std::string_view name, std::string_view descriptor);

  void write(Bytes* out) const;  // with the count

 private:
  ByteReader entry(uint16_t index, uint8_t tag) const;
  uint16_t add(const Bytes& entry);
  void find_classes();

  ByteReader original_{nullptr, 0};
  std::vector<uint32_t> offsets_;  // in original_, by index; kNoEntry: none begins there
  Bytes added_;
  size_t count_ = 0;
  std::map<Bytes, uint16_t> added_indexes_;
  std::map<std::string_view, uint16_t> classes_;  // of the original
  bool knows_classes_ = false;
};

}  // namespace hearth::bytecode
