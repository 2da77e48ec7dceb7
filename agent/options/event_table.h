// The events that options choose, by the rows of event_rows.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "options/event_rows.h"
#include "options/options.h"

namespace hearth::options {

struct OptionLabel;

// Null for another name. Engines of CPU time, as "ctimer", are no events.
const EventRow* event_row(std::string_view name);

// The interval at which a session samples an event; none: it does not.
std::optional<int64_t> interval_of(const Options& options, Event event);
void set_interval(Options* options, Event event, std::optional<int64_t> interval);
bool samples(const Options& options, Event event);

// Throws Error that names `option` and the values that it `accepts` for an interval out of the row's bounds.
int64_t parse_interval(const EventRow& row, std::string_view text, const OptionLabel& option);

}  // namespace hearth::options
