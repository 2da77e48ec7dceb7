// Cache of one thread's last walk to its root: the location of each return address, and the natives at the end. While
// the words at those locations are unchanged, so are the frames, and need no walk. Plain data, written only by its own
// thread inside signals.
#pragma once

#include <cstdint>

#include "capture/frame.h"

namespace hearth::capture {

struct RootCache {
  static constexpr uint32_t kSlots = 256;
  static constexpr uint32_t kRoots = 24;

  struct Slot {
    uintptr_t address;
    uintptr_t pc;
  };
  uint32_t slot_count = 0;  // 0: empty
  Slot slots[kSlots];       // innermost first, by ascending address

  uint32_t root_count = 0;  // natives below the outermost Java frame
  Frame roots[kRoots];
  uint64_t outermost_method = 0;  // jmethodID of the Java frame above them; 0: unknown

  void forget() {
    slot_count = 0;
    outermost_method = 0;
  }
};

}  // namespace hearth::capture
