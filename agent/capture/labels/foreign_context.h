// The span and the attributes that another agent publishes for each thread by OpenTelemetry's OTEP 4947: a thread-local
// variable `otel_thread_ctx_v1` points at a record, which the thread alone writes. The agent may be unloaded at any
// time, so every read can fault.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/owned.h"
#include "capture/store/span_table.h"

namespace hearth::capture {

// The place of a thread-local variable, the same for each thread.
struct ThreadVariable {
  size_t module = 0;     // index of the vector of thread data; 0: at `offset` from the thread pointer
  ptrdiff_t offset = 0;  // in the module's data
  bool is_musl = false;  // the vector has pointers alone
  bool operator==(const ThreadVariable& other) const {
    return module == other.module && offset == other.offset && is_musl == other.is_musl;
  }
};

// Returns its address for the calling thread; 0: the thread has none yet. Signal safe, as all below.
uintptr_t address_of(const ThreadVariable& variable);

// Attributes as records have them: index of the key, length, text.
using KeyMask = std::atomic<uint64_t>[4];  // by index of a key

// Sets of attributes, by number. Bytes that do not fit are left out.
class AttributeSets {
 public:
  static constexpr uint16_t kNone = 0;
  static constexpr uint16_t kFirst = 1 << 15;  // samples carry these numbers in place of a label set's
  static constexpr uint32_t kMost = 4096;
  static constexpr size_t kMostBytes = 248;  // in a set

  AttributeSets() : memory_(Mapping::reserved(kMost * sizeof(Set))) {}

  // `size` of at most kMostBytes. Returns kNone and counts if there is no space. Threads that add an equal set at the
  // same time may get different numbers.
  uint16_t number_of(const uint8_t* bytes, size_t size);
  // "" for an unknown number.
  std::string_view of(uint16_t number) const;
  uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kMostProbes = 64;
  struct Set {
    std::atomic<uint32_t> state;  // 0: free, 1: being written, else a hash
    uint32_t size;
    uint8_t bytes[kMostBytes];
  };

  Mapping memory_;
  std::atomic<uint64_t> refused_{0};
};

// What one agent publishes. Never freed: a handler may use it at any time.
struct ForeignSource {
  ThreadVariable variable;
  KeyMask wanted = {};  // other attributes are left out, as ids, of which there would be too many sets
  AttributeSets* sets = nullptr;
};

void set_foreign_source(const ForeignSource* source);  // null: none
const ForeignSource* foreign_source();

struct ForeignContext {
  SpanIds span{};
  uint16_t attributes = AttributeSets::kNone;
};

// Of the calling thread.
ForeignContext foreign_context();

// A value that differs for another context of the variable's thread, which must be blocked; 0: there is none.
uint64_t check_of(uintptr_t variable);

}  // namespace hearth::capture
