#include "capture/labels/foreign_context.h"

#include <algorithm>
#include <cstring>

#include "capture/faults/safe_load.h"

namespace hearth::capture {
namespace {

std::atomic<const ForeignSource*> g_source{nullptr};

// The record of OTEP 4947; its numbers are in the byte order of the machine, its ids as in W3C's headers.
enum : size_t { kTraceHigh = 0, kTraceLow = 8, kSpan = 16, kFlags = 24, kAttributes = 28 };
constexpr uint64_t kValid = 1;

struct Flags {
  uint8_t valid, trace_flags;
  uint16_t size;
};

// The last 8 bytes of the record's fixed part end with the flags: a read past its end could fault.
Flags flags_of(uintptr_t record) {
  uint32_t word = load32(record + kFlags);
  Flags flags{};
  std::memcpy(&flags, &word, sizeof flags);
  return flags;
}

uint64_t id_at(uintptr_t address) {
  return __builtin_bswap64(load(address));
}

// Copies bytes that others wrote, zeros where they cannot be read. The 8 bytes before `address` can be read as well.
void copy(uintptr_t address, size_t size, uint8_t* to) {
  for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
    size_t part = std::min(size - at, sizeof(uint64_t));
    size_t before = sizeof(uint64_t) - part;
    uint64_t word = load(address + at - before) >> 8 * before;
    std::memcpy(to + at, &word, part);
  }
}

// Removes attributes that are not wanted, and a last one that is cut. Returns the size of the rest.
size_t keep_wanted(const ForeignSource& source, uint8_t* bytes, size_t size) {
  size_t kept = 0;
  for (size_t at = 0; at + 2 <= size;) {
    size_t length = 2 + size_t{bytes[at + 1]};
    if (length > size - at) break;
    uint8_t key = bytes[at];
    bool is_wanted = source.wanted[key / 64].load(std::memory_order_relaxed) >> key % 64 & 1;
    if (is_wanted) std::memmove(bytes + kept, bytes + at, length);
    if (is_wanted) kept += length;
    at += length;
  }
  return kept;
}

uint32_t hash_of(const uint8_t* bytes, size_t size) {
  uint64_t hash = size;
  for (size_t at = 0; at < size; at++) hash = (hash ^ bytes[at]) * 0x100000001B3u;
  return static_cast<uint32_t>(hash ^ hash >> 32) | 2;
}

// Not memcmp: no function that the linker may replace.
bool are_equal(const uint8_t* one, const uint8_t* other, size_t size) {
  size_t at = 0;
  while (at < size && one[at] == other[at]) at++;
  return at == size;
}

}  // namespace

uintptr_t address_of(const ThreadVariable& variable) {
  auto thread = reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
  if (variable.module == 0) return thread + static_cast<uintptr_t>(variable.offset);
    // The vector of the thread's data: an entry for each module, of two words under glibc, of one under musl; and the
    // number of entries, before the first two words or in the first one.
#if defined(__x86_64__)
  uintptr_t vector = load(thread + sizeof(uintptr_t));
#else
  uintptr_t vector = load(variable.is_musl ? thread - sizeof(uintptr_t) : thread);
#endif
  size_t entry = variable.is_musl ? sizeof(uintptr_t) : 2 * sizeof(uintptr_t);
  uint64_t count = vector == 0 ? 0 : load(variable.is_musl ? vector : vector - entry);
  if (variable.module > count) return 0;
  uintptr_t data = load(vector + variable.module * entry);
  constexpr uintptr_t kUnallocated = UINTPTR_MAX;
  return data == 0 || data == kUnallocated ? 0 : data + static_cast<uintptr_t>(variable.offset);
}

uint16_t AttributeSets::number_of(const uint8_t* bytes, size_t size) {
  if (size == 0) return kNone;
  uint32_t hash = hash_of(bytes, size);
  for (uint32_t probe = 0; memory_ && probe < kMostProbes; probe++) {
    uint32_t index = (hash + probe) % kMost;
    Set& set = memory_.as<Set>()[index];
    uint32_t state = set.state.load(std::memory_order_acquire);
    if (state == 0 && set.state.compare_exchange_strong(state, 1, std::memory_order_acquire)) {
      std::memcpy(set.bytes, bytes, size);
      set.size = static_cast<uint32_t>(size);
      set.state.store(hash, std::memory_order_release);
      return static_cast<uint16_t>(kFirst + index);
    }
    if (state == hash && set.size == size && are_equal(bytes, set.bytes, size))
      return static_cast<uint16_t>(kFirst + index);
  }
  refused_.fetch_add(1, std::memory_order_relaxed);
  return kNone;
}

std::string_view AttributeSets::of(uint16_t number) const {
  if (number < kFirst || number - kFirst >= static_cast<int>(kMost) || !memory_) return {};
  const Set& set = memory_.as<Set>()[number - kFirst];
  if (set.state.load(std::memory_order_acquire) <= 1) return {};
  return {reinterpret_cast<const char*>(set.bytes), set.size};
}

void set_foreign_source(const ForeignSource* source) {
  g_source.store(source, std::memory_order_release);
}

const ForeignSource* foreign_source() {
  return g_source.load(std::memory_order_acquire);
}

ForeignContext foreign_context() {
  ForeignContext context;
  const ForeignSource* source = foreign_source();
  if (source == nullptr) return context;
  uintptr_t variable = address_of(source->variable);
  uintptr_t record = variable == 0 ? 0 : load(variable);
  if (record == 0) return context;
  Flags flags = flags_of(record);
  if (flags.valid != kValid) return context;
  SpanIds ids = {id_at(record + kTraceHigh), id_at(record + kTraceLow), id_at(record + kSpan)};
  // Both ids are set, or none is.
  if ((ids.trace_high | ids.trace_low) != 0 && ids.span != 0) context.span = ids;
  uint8_t bytes[AttributeSets::kMostBytes];
  size_t size = std::min(size_t{flags.size}, sizeof bytes);
  copy(record + kAttributes, size, bytes);
  context.attributes = source->sets->number_of(bytes, keep_wanted(*source, bytes, size));
  return context;
}

uint64_t check_of(uintptr_t variable) {
  uintptr_t record = variable == 0 ? 0 : load(variable);
  if (record == 0) return 0;
  Flags flags = flags_of(record);
  if (flags.valid != kValid) return 0;
  uint64_t check = record ^ load(record + kTraceLow) * 31 ^ load(record + kSpan) ^ uint64_t { flags.size } << 48;
  if (flags.size >= sizeof(uint64_t)) check ^= load(record + kAttributes) * 0x9E3779B97F4A7C15u;
  return check | 1;
}

}  // namespace hearth::capture
