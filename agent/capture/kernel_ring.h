// The perf ring of one thread's event, read by that thread inside its own signal. Layout: perf_event_open(2),
// PERF_RECORD_SAMPLE.
#pragma once

#include <cstdint>

#include "capture/frame.h"

namespace hearth::capture {

struct KernelSample {
  uint64_t count = 0;  // the counter's value: ns on the CPU since the event was opened
  uint32_t frame_count = 0;
  bool found = false;
};

// Reads everything in the ring and keeps the newest sample, whose kernel frames go to `frames`, innermost first. The
// event must have been opened with PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN and read_format 0. `page`: the ring's first
// page; the data is one page.
KernelSample read_kernel_ring(void* page, Frame* frames, uint32_t max_frames);

}  // namespace hearth::capture
