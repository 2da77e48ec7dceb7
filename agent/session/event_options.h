// Which events a session samples, and how often: event=, interval=, wall=, alloc= and lock= as typed, and what follows
// from all of them together.
#pragma once

#include <string_view>

#include "session/options.h"

namespace hearth::session {

inline constexpr std::string_view kIntervals =
    "a whole number with ns, us, ms or s, from 100us to 1h; alone it is nanoseconds; for alloc 0 to 1g bytes, for lock "
    "up to 1h";
inline constexpr std::string_view kWallIntervals =
    "a whole number with ns, us, ms or s, from 100us to 1h; alone it is nanoseconds";
inline constexpr std::string_view kLockIntervals =
    "a whole number with ns, us, ms or s, up to 1h; alone it is nanoseconds";
inline constexpr std::string_view kAllocationIntervals = "0 to 1g bytes; k, m, g are 1024 each";

// Setters of the options' table. Those of intervals keep the text: its unit depends on the event.
void say_event(Options* options, std::string_view value, const OptionHelp& option);
void say_interval(Options* options, std::string_view value, const OptionHelp& option);
void say_wall(Options* options, std::string_view value, const OptionHelp& option);
void say_alloc(Options* options, std::string_view value, const OptionHelp& option);
void say_lock(Options* options, std::string_view value, const OptionHelp& option);
void say_exact(Options* options, std::string_view value, const OptionHelp& option);
void say_live(Options* options, std::string_view value, const OptionHelp& option);
void say_tlab(Options* options, std::string_view value, const OptionHelp& option);

// When all options were read. Throws Error for an interval that the event does not accept, or that no event claims.
void settle_events(Options* options);

}  // namespace hearth::session
