// What one thread's last walk found, from the root inwards: where each frame's caller was, and the words on the stack
// that said so. As long as those words are the same the frames are, and that part of the stack is a tree node already.
// Plain data, written only by its own thread inside signals.
#pragma once

#include <cstdint>

#include "capture/arch/registers.h"

namespace hearth::capture {

struct StackMemory {
  static constexpr uint32_t kMarks = 512;  // frames further in are walked each time
  static constexpr uint32_t kWords = 2048;

  struct Word {
    uintptr_t address;
    uintptr_t value;
  };
  // A frame that is in a call.
  struct Mark {
    Registers at;
    uint32_t node;   // of the stack from the root to this frame
    uint32_t depth;  // Java frames in it
    uint32_t words;  // end of the words that led from here to the next mark further out
    bool fp_counts;  // two frames are the same only with the same fp
  };
  uint32_t mark_count = 0;
  Mark marks[kMarks];  // outermost first: sp falls
  Word words[kWords];

  // How many marks, from the outermost, still stand on unchanged words.
  uint32_t unchanged() const;
};

}  // namespace hearth::capture
