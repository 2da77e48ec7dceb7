#include "capture/store/name_table.h"

#include <cstring>

namespace hearth::capture {
namespace {

constexpr uint32_t kMaxProbes = 256;

// FNV-1a with a final mix of its bits; never 0.
uint64_t hash_of(std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char letter : name) hash = (hash ^ static_cast<uint8_t>(letter)) * 0x100000001b3;
  hash ^= hash >> 32;
  return hash | 1;
}

bool is_text(const char* text, std::string_view name) {
  for (char letter : name) {
    if (*text++ != letter) return false;
  }
  return *text == '\0';
}

}  // namespace

NameTable::NameTable()
    : entry_memory_(Mapping::reserved(kMost * sizeof(Entry))), text_memory_(Mapping::reserved(kTextBytes)) {}

uint32_t NameTable::keep(std::string_view name) {
  auto bytes = static_cast<uint32_t>(name.size()) + 1;
  uint32_t offset = text_used_.load(std::memory_order_relaxed);
  do {
    if (bytes > kTextBytes - offset) return kNoSpace;
  } while (!text_used_.compare_exchange_weak(offset, offset + bytes, std::memory_order_relaxed));
  std::memcpy(text_memory_.as<char>() + offset, name.data(), name.size());  // the memory was all zero
  return offset;
}

uint32_t NameTable::refuse() {
  refused_.fetch_add(1, std::memory_order_relaxed);
  return kNone;
}

// While another thread still writes the name of an entry, equal hashes of 63 bits count as equal names.
uint32_t NameTable::number_of(std::string_view name) {
  if (!entry_memory_ || !text_memory_ || name.size() >= kTextBytes) return refuse();
  auto* entries = entry_memory_.as<Entry>();
  uint64_t hash = hash_of(name);
  for (uint32_t probe = 0; probe < kMaxProbes; probe++) {
    uint32_t number = static_cast<uint32_t>((hash >> 1) + probe) % kMost;
    Entry& entry = entries[number];
    uint64_t there = 0;
    if (entry.hash.compare_exchange_strong(there, hash, std::memory_order_acq_rel)) {
      uint32_t kept = keep(name);
      entry.text.store(kept, std::memory_order_release);
      return kept == kNoSpace ? refuse() : number;
    }
    uint32_t text = entry.text.load(std::memory_order_acquire);
    if (text == kNoSpace) {
      if (there == hash) return refuse();
      continue;
    }
    if (there == hash && (text == 0 || is_text(text_memory_.as<char>() + text, name))) return number;
  }
  return refuse();
}

const char* NameTable::name(uint32_t number) const {
  if (!entry_memory_ || !text_memory_ || number >= kMost) return "";
  uint32_t text = entry_memory_.as<Entry>()[number].text.load(std::memory_order_acquire);
  return text == 0 || text == kNoSpace ? "" : text_memory_.as<char>() + text;
}

}  // namespace hearth::capture
