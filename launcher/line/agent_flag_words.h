// The flags of agent_flags.h on a command line, and the agent's words for them.
#pragma once

#include <string>
#include <vector>

#include "launcher/line/agent_flags.h"
#include "launcher/line/option_parser.h"
#include "launcher/line/typed_values.h"

namespace hearth::launcher {

bool can_lack_value(const AgentFlag& flag);

void add_agent_flag(const AgentFlag& flag, OptionParser* parser);
// -e of a command that reads what was profiled before.
void add_event_choice(OptionParser* parser);

// In the order of agent_flags(), all of which the parser knows. Throws UsageError for a value that the agent cannot
// read.
std::vector<std::string> agent_words(const OptionParser& parser, Stage stage);

// Throws UsageError where two options were given that exclude each other; the parser knows all of kContradictions.
void refuse_exclusions(const OptionParser& parser);

// They shape a page, and nothing else.
inline constexpr const char* kPageOptions[] = {"--title",     "--reverse",   "--inverted",
                                               "--transform", "--highlight", "--sort"};

// Throws UsageError for one of them, or --minwidth, when none of `formats` is a page.
void refuse_page_options(const OptionParser& parser, const std::vector<TypedFormat>& formats);

// Throws UsageError where pprof, which holds all events, is to show one.
void refuse_event_of_pprof(const OptionParser& parser, const std::vector<TypedFormat>& formats);

// Throws UsageError for a word that the agent would part at its comma.
void refuse_comma(const std::string& word);

}  // namespace hearth::launcher
