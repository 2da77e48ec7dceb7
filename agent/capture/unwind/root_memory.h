// What one thread's last walk found on the way to its root: where each return address lay, and the natives at the end.
// As long as the words at those places are the same, the frames are, and the way need not be walked again. Plain data,
// written only by its own thread inside signals.
#pragma once

#include <cstdint>

#include "capture/frame.h"

namespace hearth::capture {

struct RootMemory {
  static constexpr uint32_t kSlots = 256;
  static constexpr uint32_t kRoots = 24;

  struct Slot {
    uintptr_t address;
    uintptr_t pc;
  };
  uint32_t slot_count = 0;  // 0: nothing is known
  Slot slots[kSlots];       // innermost first, addresses rise

  uint32_t root_count = 0;  // natives below the outermost Java frame
  Frame roots[kRoots];
  uint64_t outermost_method = 0;  // jmethodID of the Java frame above them; 0: not known

  void forget() {
    slot_count = 0;
    outermost_method = 0;
  }
};

}  // namespace hearth::capture
