// The span that a sample was taken in, as OTLP's Link.
#pragma once

#include <cstddef>
#include <string>

#include "profile/model/profile.h"

namespace hearth::profile {

inline constexpr size_t kTraceIdBytes = 16;
inline constexpr size_t kSpanIdBytes = 8;

// The bytes of trace_id, followed by those of span_id. "" if one is missing, as a link needs both, or invalid, as for
// spans beyond the limit.
std::string otlp_link(const LabelSet& labels);

}  // namespace hearth::profile
