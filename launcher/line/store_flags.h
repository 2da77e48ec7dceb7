// The launcher's flags of the always-on store.
#pragma once

#include <string>
#include <vector>

#include "launcher/line/option_parser.h"

namespace hearth::launcher {

void add_store_flags(OptionParser* parser);

// What to tell the agent with a start or a stop; {} where it is about no store. Throws UsageError for what does not go
// together.
std::vector<std::string> store_words(const OptionParser& parser, bool starts);
bool is_about_store(const OptionParser& parser);

// Throws UsageError for one of them where it would do nothing.
void refuse_store_flags(const OptionParser& parser);

}  // namespace hearth::launcher
