// Reads the flags of agent_flags.h on a command line and translates them for the agent.
#pragma once

#include <string>
#include <vector>

#include "launcher/line/agent_flags.h"
#include "launcher/line/option_parser.h"
#include "launcher/line/typed_values.h"

namespace hearth::launcher {

bool can_lack_value(const AgentFlag& flag);

void add_agent_flag(const AgentFlag& flag, OptionParser* parser);
// Adds -e to a command on stored profiles.
void add_event_choice(OptionParser* parser);

// In the order of agent_flags(), all of which the parser has. Throws UsageError for a value that the agent cannot read.
std::vector<std::string> agent_words(const OptionParser& parser, Stage stage);

// Throws UsageError for options that exclude each other; the parser has all of kContradictions.
void refuse_exclusions(const OptionParser& parser);

// Options that apply to a page only.
inline constexpr const char* kPageOptions[] = {"--title",     "--reverse",   "--inverted",
                                               "--transform", "--highlight", "--sort"};

// Throws UsageError for one of them, or --minwidth, if none of `formats` is a page.
void refuse_page_options(const OptionParser& parser, const std::vector<TypedFormat>& formats);

// Throws UsageError for --event with pprof, which contains all events.
void refuse_event_of_pprof(const OptionParser& parser, const std::vector<TypedFormat>& formats);

// Throws UsageError for a value that the agent would split at its comma; the message omits a secret value.
void refuse_comma(const AgentFlag& flag, const std::string& value);
// The same for a word of the agent's options.
void refuse_comma(const std::string& word);

}  // namespace hearth::launcher
