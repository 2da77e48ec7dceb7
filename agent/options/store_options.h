// The options of the always-on store: where, how long its windows are, what it may cost, which of it is asked for.
#pragma once

#include <string_view>

#include "options/options.h"

namespace hearth::options {

void say_store(Options* options, std::string_view value, const OptionHelp& option);
void say_window(Options* options, std::string_view value, const OptionHelp& option);
void say_budget(Options* options, std::string_view value, const OptionHelp& option);
void say_on(Options* options, std::string_view value, const OptionHelp& option);
void say_freeze(Options* options, std::string_view value, const OptionHelp& option);

void say_push(Options* options, std::string_view value, const OptionHelp& option);
void say_push_labels(Options* options, std::string_view value, const OptionHelp& option);
void say_push_tenant(Options* options, std::string_view value, const OptionHelp& option);

inline constexpr const char* kWindowLengths = "a duration from 100ms to 1h: 1m, 30s; a bare number is seconds";

// Refuses what does not go together. Before the events are settled: a store that was told of none has its own.
void resolve_store(Options* options);

}  // namespace hearth::options
