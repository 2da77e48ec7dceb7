// The context of each thread as profilers outside of the process read it: OpenTelemetry's OTEP 4947. The thread-local
// variable `otel_thread_ctx_v1`, which this library exports, points at a record that Java
// (java/hearth/ThreadRecord.java) writes. Outside signals.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hearth::vm {

struct ThreadRecord {
  static constexpr size_t kAttributesSize = 612;  // with the rest 640 bytes, as readers expect
  // Java writes whole words.
  static constexpr size_t kMostAttributes = kAttributesSize / sizeof(uint64_t) * sizeof(uint64_t);

  uint8_t trace[16];
  uint8_t span[8];
  uint8_t is_valid;
  uint8_t trace_flags;
  uint16_t size;  // of the attributes
  uint8_t attributes[kAttributesSize];
};
static_assert(sizeof(ThreadRecord) == 640 && offsetof(ThreadRecord, attributes) == 28, "ThreadRecord.java writes it");

// That of the calling thread, not valid; null: there is no memory. It is another thread's after the thread has ended.
ThreadRecord* take_thread_record();
// Readers find no context of the calling thread until its record is written again.
void clear_thread_record();

}  // namespace hearth::vm
