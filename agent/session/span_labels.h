// What outputs say of the span of a trace that a sample was taken in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capture/span_table.h"
#include "profile/profile.h"

namespace hearth::session {

// `number`: as SpanTable::number_of(). None of none.
void add_span_labels(const capture::SpanTable& spans, uint16_t number, profile::LabelSet* labels);

struct MissedSpans {
  uint64_t other = 0;  // samples that are in none of the spans that are kept
  uint64_t torn = 0;   // and whose thread was about to go from one to another
};
// One line each.
std::vector<std::string> span_notes(const MissedSpans& missed);

}  // namespace hearth::session
