// The span that a sample was taken in, as OTLP's Link has it.
#pragma once

#include <cstddef>
#include <string>

#include "profile/model/profile.h"

namespace hearth::profile {

inline constexpr size_t kTraceIdBytes = 16;
inline constexpr size_t kSpanIdBytes = 8;

// The bytes of trace_id, and those of span_id behind them. "": it has not both, as a link does, or they are no ids, as
// those of spans that there was no room for.
std::string otlp_link(const LabelSet& labels);

}  // namespace hearth::profile
