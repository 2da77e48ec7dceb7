// Where exceptions are caught: the handlers of the methods on their stacks, as the JVM will search them.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "capture/unwind/java/vm_layout.h"
#include "events/exceptions/message_shapes.h"

namespace hearth::events {

// What catches an exception.
struct Catcher {
  enum class Kind : uint8_t { kUnknown, kHandler, kNativeMethod, kNobody };
  Kind kind = Kind::kUnknown;
  jmethodID method = nullptr;
  int bci = 0;  // of the handler

  bool operator<(const Catcher& other) const {
    return std::tie(kind, method, bci) < std::tie(other.kind, other.method, other.bci);
  }
};

struct ExceptionHandler {
  uint16_t begin = 0;  // bytecode indices; the end is not part of it
  uint16_t end = 0;
  uint16_t handler = 0;
  std::string type;  // "java/io/IOException"; "": any, of finally and synchronized, which throw the exception again
};

// Reads the handlers of a method that guard the bytecode at `bci` from the JVM's memory, in the JVM's order; none if
// the layout is unknown. `method`: address of a Method. Fault tolerant.
std::vector<ExceptionHandler> handlers_at(const capture::VmLayout& layout, uintptr_t method, int bci);

// What will catch an exception of class `type` that the calling thread throws in the frame at `depth`; it must be in a
// call from Java code. Handlers of any class are passed over; a native method ends the search, as its code may do what
// it likes.
Catcher find_catcher(JNIEnv* env, jvmtiEnv* jvmti, const capture::VmLayout& layout, jclass type, int depth);

// Numbers for the message and the catcher of exceptions. Any thread, outside signals.
class ExceptionTraits {
 public:
  MessageShapes messages;

  static constexpr uint16_t kNone = 0;
  struct Traits {
    uint16_t message = 0;  // of `messages`
    Catcher catcher;
  };

  // Beyond 60,000 pairs the catcher is not kept.
  uint16_t number_of(uint16_t message, const Catcher& catcher);
  Traits of(uint16_t number) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<uint16_t, Catcher>, uint16_t> numbers_;
  std::vector<Traits> traits_;  // by number - 1
};

}  // namespace hearth::events
