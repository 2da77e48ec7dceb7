// Options and actions of async-profiler that hearth does not have, for users who know that profiler.
#pragma once

#include <string_view>

namespace hearth::options {

// How the caller writes options: "loop=1h" for the agent, "--loop 1h" on the command line, {"loop": "1h"} over HTTP.
enum class Grammar { kOptions, kFlags, kJson };

// What to do instead of `name` ("loop"), in the caller's grammar; "" where async-profiler has no such option.
std::string_view instead_of_asprof_option(std::string_view name, Grammar grammar);

// The same of an action ("check").
std::string_view instead_of_asprof_action(std::string_view name, Grammar grammar);

}  // namespace hearth::options
