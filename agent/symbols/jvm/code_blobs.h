// Names of generated code that is no Java method: stubs, adapters, the interpreter. Fed by JVMTI's
// DynamicCodeGenerated, asked at dump.
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
  // The smallest piece that holds `pc`; "" when there is none.
  std::string name_of(uintptr_t pc) const;
  // Where the piece begins whose name, but for case and what is no letter, is `letters` or ends with it; 0 without one.
  uintptr_t start_of(std::string_view letters) const;

 private:
  struct Piece {
    uintptr_t end;
    std::string name;
  };
  mutable std::mutex mutex_;
  std::map<uintptr_t, Piece> pieces_;  // by start; an address generated again replaces the piece before
};

}  // namespace hearth::symbols
