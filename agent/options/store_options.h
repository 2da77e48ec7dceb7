// The options of the always-on store: directory, length of windows, limit of cost, requested time range.
#pragma once

#include <string_view>

#include "options/option_table.h"

namespace hearth::options {

void set_store(Options* options, std::string_view value, const OptionRow& option);
void set_window(Options* options, std::string_view value, const OptionRow& option);
void set_budget(Options* options, std::string_view value, const OptionRow& option);
void set_on(Options* options, std::string_view value, const OptionRow& option);
void set_freeze(Options* options, std::string_view value, const OptionRow& option);

void set_push(Options* options, std::string_view value, const OptionRow& option);
void set_push_labels(Options* options, std::string_view value, const OptionRow& option);
void set_push_tenant(Options* options, std::string_view value, const OptionRow& option);

inline constexpr const char* kWindowLengths = "a duration from 100ms to 1h: 1m, 30s; a bare number is seconds";

// Throws Error for options that contradict each other. Called before resolve_events(): a store has events of its own.
void resolve_store(Options* options);

}  // namespace hearth::options
