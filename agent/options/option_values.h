// Values of options, from text. Each refuses a value that it cannot use with an Error that names the option, the value
// and the accepted ones.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "base/formatted.h"
#include "options/option_table.h"
#include "profile/formats/formats.h"

namespace hearth::options {

// Reports a value that the profile library refuses, with the option's name.
template <typename Read>
void read_value(std::string_view option, const Read& read) {
  try {
    read();
  } catch (const profile::FormatError& error) {
    throw Error(formatted("option {}: {}", option, error.what()));
  }
}

// What a refusal states of an option: its name and the accepted values.
struct OptionLabel {
  constexpr OptionLabel(std::string_view option, std::string_view values) : name(option), accepts(values) {}
  constexpr OptionLabel(const OptionRow& row) : name(row.name), accepts(row.accepts) {}

  std::string_view name;
  std::string_view accepts;
};

[[noreturn]] void refuse(const OptionLabel& option, std::string_view value);

// Units as async-profiler reads them: ns, us, ms, s, m, h, d; a bare number counts `unit` nanoseconds.
int64_t parse_duration_ns(std::string_view text, int64_t unit, const OptionLabel& option);
// With k, m or g, each 1024 of the one before.
int64_t parse_bytes(std::string_view text, const OptionLabel& option);
int64_t parse_whole(std::string_view text, int64_t least, int64_t most, const OptionLabel& option);
// Seconds, a duration with a unit, or hh:mm:ss; not 0.
int64_t parse_timeout_ns(std::string_view text, const OptionLabel& option);
bool parse_switch(std::string_view text, const OptionLabel& option);  // "" is on

}  // namespace hearth::options
