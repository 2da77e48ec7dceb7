// The label set that a thread works under: one number in memory that the thread's Java code writes and its samples
// read.
#pragma once

#include <cstdint>

#include "capture/labels/virtual_cells.h"
#include "capture/unwind/java/java_frames.h"
#include "capture/unwind/java/vm_layout.h"

namespace hearth::capture {

inline constexpr uint32_t kNoLabels = 0;

// Those of the calling thread, or of the virtual thread that it carries. Signal safe, given a FaultHandler.
uint32_t current_labels(const VmLayout& vm, const ThreadAccess& access);

// Where those of the calling thread are, if it is none that carries others: of it alone, and gone with it.
uint32_t* label_cell();

using VirtualLabels = VirtualCells<uint32_t>;
VirtualLabels& virtual_labels();

}  // namespace hearth::capture
