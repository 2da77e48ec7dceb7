// Counts how often the JVM could not satisfy a request of a thread: heap, metaspace, a new thread.
#pragma once

#include <jvmti.h>

#include <cstdint>

#include "base/jvm_refs.h"

namespace hearth::events {

// Counts from start() on, during its lifetime. Not thread safe.
class MemoryExhaustion {
 public:
  // Throws Error if this JVM has no such events.
  void start(JavaVM* java_vm);
  void stop();
  static uint64_t count();  // any thread

 private:
  JvmtiEnvironment jvmti_;
};

}  // namespace hearth::events
