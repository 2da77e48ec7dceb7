// Formats numbers for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hearth::profile {

// 1234567 as "1,234,567".
std::string grouped(uint64_t number);

// Three significant digits: "850 ns", "12.3 us", "9.87 s"; from two minutes on "2 min 05 s", "3 h 07 min".
std::string duration_text(int64_t ns);

// A value in the unit of its value type: a duration, "12.3 MB", or a number, followed by any other unit.
std::string amount_text(int64_t value, std::string_view unit);

// A sampling interval: as amount_text(), but bytes in KiB or MiB if they are integers.
std::string interval_text(int64_t value, std::string_view unit);

// The part in percent of the whole; 0 if there is no whole.
double percent_of(int64_t part, int64_t whole);

}  // namespace hearth::profile
