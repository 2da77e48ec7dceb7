// Names of generated code that is no Java method: stubs, adapters, the interpreter. Filled by JVMTI's
// DynamicCodeGenerated, read when frames are named.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace hearth::symbols {

// Thread safe: the JVM may generate code on any thread.
class CodeBlobNames {
 public:
  void add(uintptr_t start, uint32_t length, const char* name);
  // Returns the name of the smallest piece that contains `pc`; "" if there is none.
  std::string name_of(uintptr_t pc) const;
  // Returns the start of a piece with a name that ends with `letters`, without case and other characters; 0: none.
  uintptr_t start_of(std::string_view letters) const;

 private:
  struct Piece {
    uintptr_t end;
    std::string name;
  };
  mutable std::mutex mutex_;
  std::map<uintptr_t, Piece> pieces_;  // by start; a piece generated at a known address replaces the previous one
};

}  // namespace hearth::symbols
