// What calls of I/O were for, by number: samples carry the number. Signal safe and lock free, except the constructor.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "base/owned.h"

namespace hearth::events {

enum class IoCall : uint8_t { kRead, kWrite, kConnect, kAccept, kResolve, kSync };

enum class IoKind : uint8_t { kUnknown, kTcp, kUdp, kUnix, kFile, kPipe, kDevice, kHost };

enum class IoRole : uint8_t {
  kPeer,     // of a connection that this process made, or a file, or the name of a host
  kClient,   // of a connection that it accepted: the port is its own
  kListener  // a socket that accepts connections, or has no peer: address and port are its own
};

// What a call reads, writes or looks for.
struct IoTarget {
  static constexpr size_t kMostName = 184;

  std::string_view name_view() const { return {name, name_size}; }
  bool operator==(const IoTarget& other) const {
    return kind == other.kind && role == other.role && port == other.port && name_view() == other.name_view();
  }

  IoKind kind = IoKind::kUnknown;
  IoRole role = IoRole::kPeer;
  uint16_t port = 0;      // of TCP and UDP
  uint8_t name_size = 0;  // 0: not known
  bool is_cut = false;    // the name is only the end of a longer one
  char name[kMostName];   // an address of 4 or 16 bytes, a path, or the name of a host
};

class IoTraits {
 public:
  static constexpr uint16_t kNone = 0;
  static constexpr uint32_t kMost = 1 << 13;       // numbers from 1
  static constexpr uint32_t kMostNamed = 7 << 10;  // of these, for targets with a name

  // Without memory every call is kNone.
  IoTraits();

  // Returns the number of calls like this one, of a similar size. `calls`: that it represents. Beyond kMostNamed calls
  // with further targets have one number for each kind of target and call, or kNone.
  uint16_t number_of(IoCall call, const IoTarget& target, int64_t bytes, double calls);

  struct Traits {
    IoCall call = IoCall::kRead;
    const IoTarget* target = nullptr;  // null for kNone
    int64_t least_bytes = 0;           // of calls of this size
    double mean_bytes = 0;             // of those that number_of() had for it
  };
  Traits of(uint16_t number) const;
  // Returns how many calls lost the name of their target so.
  uint64_t unnamed() const { return unnamed_.load(std::memory_order_relaxed); }

  // Visits the reserved memory, for measurements.
  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    visit(memory_);
  }

 private:
  struct Entry;
  uint16_t find_or_claim(IoCall call, const IoTarget& target, uint8_t size);

  Mapping memory_;  // of entries
  std::atomic<uint32_t> used_{0};
  std::atomic<uint64_t> unnamed_{0};
};

}  // namespace hearth::events
