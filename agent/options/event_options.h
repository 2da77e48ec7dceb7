// The options of events: event=, interval=, wall=, alloc= and lock= as typed, and the set of events that results.
#pragma once

#include <string_view>

#include "options/event_rows.h"
#include "options/option_table.h"

namespace hearth::options {

// Whether the word, with or without @INTERVAL, is a value of event= and no option itself: an engine of CPU time, an
// event without an option, or a counter.
bool is_event_word(std::string_view word);
// Whether the word is CPU time by any engine.
bool is_cpu_word(std::string_view word);
// Whether a word alone is another event, as in "event=alloc,cpu".
bool continues_events(const Options& options, std::string_view word);

// Whether the options name this event, or any.
bool names_event(const Options& options, Event event);
bool names_events(const Options& options);
// The events that a store without event= samples.
void choose_events_of_store(Options* options);

// Setters of the options' table. Those of intervals keep the text: its unit depends on the event.
void set_event(Options* options, std::string_view value, const OptionRow& option);
void set_main_interval(Options* options, std::string_view value, const OptionRow& option);
// Of an event that has an option of its own name: wall=, alloc=, lock=.
void set_own_event(Options* options, std::string_view value, const OptionRow& option);
void set_exact(Options* options, std::string_view value, const OptionRow& option);
void set_live(Options* options, std::string_view value, const OptionRow& option);
void set_nofree(Options* options, std::string_view value, const OptionRow& option);
void set_redact(Options* options, std::string_view value, const OptionRow& option);
void set_messages(Options* options, std::string_view value, const OptionRow& option);
void set_trace(Options* options, std::string_view value, const OptionRow& option);
void set_tlab(Options* options, std::string_view value, const OptionRow& option);

// Called when all options were read. Throws Error for an interval that the event refuses, or that no event takes.
void resolve_events(Options* options);

}  // namespace hearth::options
