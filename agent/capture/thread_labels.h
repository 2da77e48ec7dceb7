// The label set that a thread works under: one number in the thread's own memory, which the thread's Java code writes
// and its samples read.
#pragma once

#include <cstdint>

namespace hearth::capture {

inline constexpr uint32_t kNoLabels = 0;

// Those of the calling thread. Signal safe.
uint32_t current_labels();

// Where they are: of the calling thread alone, and gone with it.
uint32_t* label_cell();

}  // namespace hearth::capture
