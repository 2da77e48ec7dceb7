// The current trace span of a thread: memory that the thread's Java code (java/hearth/ThreadSpan.java) writes and its
// samples read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "capture/labels/virtual_cells.h"
#include "capture/store/span_table.h"
#include "capture/unwind/java/java_frames.h"
#include "capture/unwind/java/vm_layout.h"

namespace hearth::capture {

// The JIT may write the words in any order: the last one is a checksum of the others and shows torn values.
struct SpanCell {
  SpanIds ids;
  uint64_t check;
  bool is_whole() const { return check == (ids.trace_high * 31 + ids.trace_low) * 31 + ids.span; }
};
static_assert(sizeof(SpanCell) == 32 && offsetof(SpanCell, check) == 24, "ThreadSpan.java writes it");

// As current_labels().
SpanCell current_span(const VmLayout& vm, const ThreadAccess& access);

// As label_cell().
SpanCell* span_cell();

using VirtualSpans = VirtualCells<SpanCell>;
VirtualSpans& virtual_spans();

}  // namespace hearth::capture
