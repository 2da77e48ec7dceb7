// The perf ring of one thread's event, read by that thread in its own signal handler. Layout: perf_event_open(2),
// PERF_RECORD_SAMPLE.
#pragma once

#include <cstdint>

#include "capture/frame.h"

namespace hearth::capture {

// Whether there is a record that read_kernel_ring() has not read.
bool has_kernel_record(void* page);

// Reads all records and keeps the newest sample: writes its kernel frames to `frames`, innermost first, and returns
// their number, 0 without a sample. The event must have been opened with PERF_SAMPLE_CALLCHAIN alone. `page`: the
// ring's first page; the data is one page.
uint32_t read_kernel_ring(void* page, Frame* frames, uint32_t max_frames);

}  // namespace hearth::capture
