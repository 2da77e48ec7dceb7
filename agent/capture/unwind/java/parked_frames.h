// Frames of a virtual thread that are not on its carrier's stack: after a park the JVM thaws the innermost few, and the
// rest stays in stack chunks on the heap until a return reaches it. Sources: share/runtime/continuationFreezeThaw.cpp,
// share/oops/stackChunkOop.inline.hpp, cpu/x86/continuationFreezeThaw_x86.inline.hpp (JDK 21). Signal safe, if a
// FaultHandler is installed.
#pragma once

#include "capture/arch/registers.h"
#include "capture/frame.h"
#include "capture/unwind/java/vm_layout.h"
#include "capture/unwind/native/pc_cache.h"

namespace hearth::capture {

struct ParkedFrames {
  uint32_t count = 0;
  bool complete = false;  // includes the last frame of the outermost chunk
  Registers carrier{};    // the frame that runs the virtual thread; valid when found
  bool found = false;
};

// Writes at most `most` frames to `frames`, innermost first. `thawed_sp`: the stack pointer after the outermost frame
// on the stack, which returns to the JVM's barrier. Reads the heap without synchronization: a collector that moves a
// chunk at that time can make the result incomplete.
ParkedFrames read_parked_frames(const VmLayout& vm, PcCache* pcs, uintptr_t thawed_sp, Frame* frames, uint32_t most);

}  // namespace hearth::capture
