#include "events/handlers/io/io_traits.h"

#include "events/alloc/size_class.h"

namespace hearth::events {
namespace {

constexpr uint32_t kMostProbes = 64;
constexpr double kParts = 1024;  // of a call, in sums of whole numbers

// Never 0. The finalizer of SplitMix64 spreads the bits of FNV-1a.
uint32_t hash_of(IoCall call, const IoTarget& target, uint8_t size) {
  uint64_t hash = 0xcbf29ce484222325;
  auto add = [&](uint32_t byte) { hash = (hash ^ byte) * 0x100000001b3; };
  add(static_cast<uint8_t>(call));
  add(size);
  add(static_cast<uint8_t>(target.kind));
  add(static_cast<uint8_t>(target.role));
  add(target.port);
  for (char letter : target.name_view()) add(static_cast<uint8_t>(letter));
  hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9;
  return static_cast<uint32_t>(hash >> 32) | 1;
}

}  // namespace

struct IoTraits::Entry {
  std::atomic<uint32_t> hash;    // 0: free
  std::atomic<bool> is_written;  // what follows
  IoCall call;
  uint8_t size;  // class of the bytes
  IoTarget target;
  std::atomic<int64_t> parts;  // of calls
  std::atomic<int64_t> bytes;  // of these calls
};

IoTraits::IoTraits() : memory_(Mapping::reserved(kMost * sizeof(Entry))) {}

// An entry that another thread still writes is passed over: a call may have two numbers.
uint16_t IoTraits::find_or_claim(IoCall call, const IoTarget& target, uint8_t size) {
  auto* entries = memory_.as<Entry>();
  uint32_t hash = hash_of(call, target, size);
  for (uint32_t probe = 0; probe < kMostProbes; probe++) {
    uint32_t at = ((hash >> 1) + probe) % kMost;
    Entry& entry = entries[at];
    auto number = static_cast<uint16_t>(at + 1);
    uint32_t there = entry.hash.load(std::memory_order_acquire);
    bool is_free = there == 0 && (target.name_size == 0 || used_.load(std::memory_order_relaxed) < kMostNamed);
    if (there == 0 && !is_free) return kNone;
    if (is_free && entry.hash.compare_exchange_strong(there, hash, std::memory_order_acq_rel)) {
      used_.fetch_add(1, std::memory_order_relaxed);
      entry.call = call;
      entry.size = size;
      entry.target = target;
      entry.is_written.store(true, std::memory_order_release);
      return number;
    }
    bool is_it = there == hash && entry.is_written.load(std::memory_order_acquire) && entry.call == call &&
                 entry.size == size && entry.target == target;
    if (is_it) return number;
  }
  return kNone;
}

uint16_t IoTraits::number_of(IoCall call, const IoTarget& target, int64_t bytes, double calls) {
  if (!memory_) return kNone;
  uint8_t size = size_class(bytes);
  uint16_t number = find_or_claim(call, target, size);
  if (number == kNone) {
    unnamed_.fetch_add(1, std::memory_order_relaxed);
    IoTarget other;
    other.kind = target.kind;
    number = find_or_claim(call, other, size);
  }
  if (number == kNone) return kNone;
  Entry& entry = memory_.as<Entry>()[number - 1];
  entry.parts.fetch_add(static_cast<int64_t>(calls * kParts), std::memory_order_relaxed);
  entry.bytes.fetch_add(static_cast<int64_t>(calls * static_cast<double>(bytes)), std::memory_order_relaxed);
  return number;
}

IoTraits::Traits IoTraits::of(uint16_t number) const {
  if (number == kNone || number > kMost || !memory_) return {};
  const Entry& entry = memory_.as<Entry>()[number - 1];
  if (!entry.is_written.load(std::memory_order_acquire)) return {};
  auto calls = static_cast<double>(entry.parts.load(std::memory_order_relaxed)) / kParts;
  auto bytes = static_cast<double>(entry.bytes.load(std::memory_order_relaxed));
  return {entry.call, &entry.target, least_size(entry.size), calls > 0 ? bytes / calls : 0};
}

}  // namespace hearth::events
