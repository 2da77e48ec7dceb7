// Values of options, from text. Each refuses what it cannot use with an Error that names the option, what was read and
// what is accepted.
#pragma once

#include <cstdint>
#include <string_view>

#include "session/options.h"

namespace hearth::session {

// In the text of options a comma that is part of a value, where a program makes the text.
inline constexpr char kCommaInValue = '\x1f';

[[noreturn]] void refuse(const OptionHelp& option, std::string_view value);

// Units as async-profiler reads them: ns, us, ms, s, m, h, d; a bare number counts `unit` nanoseconds.
int64_t parse_duration_ns(std::string_view text, int64_t unit, const OptionHelp& option);
// With k, m or g, each 1024 of the one before.
int64_t parse_bytes(std::string_view text, const OptionHelp& option);
int64_t parse_whole(std::string_view text, int64_t least, int64_t most, const OptionHelp& option);
bool parse_switch(std::string_view text, const OptionHelp& option);  // "" is on

}  // namespace hearth::session
