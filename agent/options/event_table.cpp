#include "options/event_table.h"

#include <algorithm>

#include "options/option_values.h"

namespace hearth::options {
const EventRow* event_row(std::string_view name) {
  const auto* row =
      std::find_if(kEventRows.begin(), kEventRows.end(), [name](const EventRow& one) { return one.name == name; });
  return row == kEventRows.end() ? nullptr : row;
}

std::optional<int64_t> interval_of(const Options& options, Event event) {
  return options.events.intervals_[event];
}

void set_interval(Options* options, Event event, std::optional<int64_t> interval) {
  options->events.intervals_[event] = interval;
}

bool samples(const Options& options, Event event) {
  return interval_of(options, event).has_value();
}

int64_t parse_interval(const EventRow& row, std::string_view text, const OptionLabel& option) {
  if (row.unit == "count") return parse_whole(text, row.least, row.most, option);
  int64_t interval = row.unit == "bytes" ? parse_bytes(text, option) : parse_duration_ns(text, 1, option);
  if (interval < row.least || interval > row.most) refuse(option, text);
  return interval;
}

}  // namespace hearth::options
