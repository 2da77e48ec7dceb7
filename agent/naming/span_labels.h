// Labels and notes on the trace span that a sample was taken in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capture/store/span_table.h"
#include "profile/model/profile.h"

namespace hearth::naming {

// Adds trace_id and span_id of a span. `number`: as SpanTable::number_of(); adds nothing for kNone.
void add_span_labels(const capture::SpanTable& spans, uint16_t number, profile::LabelSet* labels);

struct MissedSpans {
  uint64_t other = 0;  // samples of spans that the table has no space for
  uint64_t torn = 0;   // samples of a thread that was changing its span
};
// Returns one line for each kind that occurred.
std::vector<std::string> span_notes(const MissedSpans& missed);

}  // namespace hearth::naming
