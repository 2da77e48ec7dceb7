// The current label set of a thread: a number in memory that the thread's Java code writes and its samples read.
#pragma once

#include <cstdint>

#include "capture/labels/virtual_cells.h"
#include "capture/unwind/java/java_frames.h"
#include "capture/unwind/java/vm_layout.h"

namespace hearth::capture {

inline constexpr uint32_t kNoLabels = 0;

// Returns the calling thread's label set, or that of the virtual thread that it carries. Signal safe, if a FaultHandler
// is installed.
uint32_t current_labels(const VmLayout& vm, const ThreadAccess& access);

// Returns the memory of the calling thread's own number. It ends with the thread.
uint32_t* label_cell();

using VirtualLabels = VirtualCells<uint32_t>;
VirtualLabels& virtual_labels();

}  // namespace hearth::capture
