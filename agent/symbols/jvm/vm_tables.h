// HotSpot's description of its own structures: the tables that libjvm exports for the serviceability agent
// (share/runtime/vmStructs.cpp), read once outside signals.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace hearth::symbols {

class VmTables {
 public:
  struct Field {
    std::string type;
    bool is_static;
    uint64_t offset;    // of a member
    uintptr_t address;  // of a static
  };

  // `libjvm`: a dlopen handle. Without the tables (not HotSpot) no function below finds anything.
  explicit VmTables(void* libjvm);

  // Null when missing.
  const Field* field(const char* type, const char* name) const;
  int offset(const char* type, const char* name) const;              // -1 when missing
  uintptr_t static_value(const char* type, const char* name) const;  // 0 when missing
  // offset() in the second type if the first lacks the field.
  int either_offset(const char* type, const char* other_type, const char* name) const;
  int size_of(const char* type) const;  // bytes, -1 when missing
  std::optional<int> constant(const char* name) const;
  uintptr_t flag(const char* name) const;     // address of its JVMFlag, 0 if there is none
  bool boolean_flag(const char* name) const;  // false if there is no such flag
  int jdk() const;                            // 8, 11, 17…

  // How compressed pointers are turned into addresses: base + (pointer << shift).
  struct Compression {
    uintptr_t base;
    uint32_t shift;
  };
  std::optional<Compression> of_references() const { return compression("CompressedOops", "_narrow_oop."); }
  std::optional<Compression> of_classes() const { return compression("CompressedKlassPointers", "_narrow_klass."); }

 private:
  std::optional<Compression> compression(const char* type, const std::string& old_prefix) const;

  std::map<std::string, Field> fields_;  // "Type::field"
  std::map<std::string, uint64_t> sizes_;
  std::map<std::string, int> constants_;
};

}  // namespace hearth::symbols
