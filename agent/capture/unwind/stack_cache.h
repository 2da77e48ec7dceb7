// Cache of one thread's last walk, from the root inwards: checkpoints at frames, and the words on the stack that led
// from one to the next. While those words are unchanged, so are the frames, and that part of the stack is a tree node
// already. Plain data, written only by its own thread inside signals.
//
//   checkpoints (outermost first)      words (addresses on the stack, and their content)
//   0  run()    node 2, words 2  ───── 0, 1   return address and fp that led from run() to main
//   1  parse()  node 3, words 4  ───── 2, 3   those that led from parse() to run()
//   2  read()   node 4, words 6  ───── 4, 5   those that led from read() to parse()
//
// Invariant: if words 0 to n - 1 are unchanged, so are the callers of each frame whose `words` is at most n. A walk
// that meets such a frame, with its pc and sp, takes the rest of the stack from `node`. A step that depends on anything
// but the stack (a register, the heap, a guess) keeps the frames further in out of the cache.
#pragma once

#include <cstdint>

#include "capture/arch/registers.h"

namespace hearth::capture {

struct StackCache {
  static constexpr uint32_t kCheckpoints = 512;  // frames further in are walked each time
  static constexpr uint32_t kWords = 2048;

  struct Word {
    uintptr_t address;
    uintptr_t value;
  };
  // A frame in a call.
  struct Checkpoint {
    Registers at;
    uint32_t node;   // of the stack from the root to this frame
    uint32_t depth;  // Java frames in that stack
    uint32_t words;  // end of the words that lead from here to the next checkpoint further out
    bool fp_counts;  // equal frames must have equal fp
  };
  uint32_t checkpoint_count = 0;
  Checkpoint checkpoints[kCheckpoints];  // outermost first, by descending sp
  Word words[kWords];

  // Returns the number of checkpoints, from the outermost, that depend on unchanged words only.
  uint32_t unchanged() const;
};

}  // namespace hearth::capture
