// The launcher's flags of the always-on store.
#pragma once

#include <string>
#include <vector>

#include "launcher/line/option_parser.h"

namespace hearth::launcher {

void add_store_flags(OptionParser* parser);

// The agent's options for a start or stop of a store; {} if --store is missing. Throws UsageError for options that
// exclude each other.
std::vector<std::string> store_words(const OptionParser& parser, bool starts);
bool is_about_store(const OptionParser& parser);

// Throws UsageError for one of these flags in a command that ignores it.
void refuse_store_flags(const OptionParser& parser);

}  // namespace hearth::launcher
