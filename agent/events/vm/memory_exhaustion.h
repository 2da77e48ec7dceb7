// How often the JVM could not give what a thread asked for: heap, metaspace, a thread.
#pragma once

#include <jvmti.h>

#include <cstdint>

namespace hearth::events {

// Counts from then on, while it lives. Not thread safe.
class MemoryExhaustion {
 public:
  MemoryExhaustion() = default;
  MemoryExhaustion(const MemoryExhaustion&) = delete;
  MemoryExhaustion& operator=(const MemoryExhaustion&) = delete;
  ~MemoryExhaustion() { stop(); }

  // Throws Error where this JVM does not tell.
  void start(JavaVM* java_vm);
  void stop();
  static uint64_t count();  // any thread

 private:
  jvmtiEnv* jvmti_ = nullptr;
};

}  // namespace hearth::events
