// Counts how often the JVM could not satisfy a request of a thread: heap, metaspace, a new thread.
#pragma once

#include <jvmti.h>

#include <cstdint>

namespace hearth::events {

// Counts from start() on, during its lifetime. Not thread safe.
class MemoryExhaustion {
 public:
  MemoryExhaustion() = default;
  MemoryExhaustion(const MemoryExhaustion&) = delete;
  MemoryExhaustion& operator=(const MemoryExhaustion&) = delete;
  ~MemoryExhaustion() { stop(); }

  // Throws Error if this JVM has no such events.
  void start(JavaVM* java_vm);
  void stop();
  static uint64_t count();  // any thread

 private:
  jvmtiEnv* jvmti_ = nullptr;
};

}  // namespace hearth::events
