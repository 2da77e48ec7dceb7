#include "launcher/line/store_flags.h"

#include <algorithm>
#include <filesystem>

#include "base/formatted.h"
#include "launcher/line/agent_flag_words.h"
#include "launcher/line/usage_error.h"

namespace hearth::launcher {
namespace {

// The flags of a start of a store, except --store itself.
std::vector<AgentFlag> flags_of_start() {
  std::vector<AgentFlag> flags = flags_of(options::Group::kStore);
  flags.erase(std::remove_if(flags.begin(), flags.end(), [](const AgentFlag& flag) { return flag.name == "--store"; }),
              flags.end());
  return flags;
}

}  // namespace

void add_store_flags(OptionParser* parser) {
  for (const AgentFlag& flag : flags_of(options::Group::kStore)) add_agent_flag(flag, parser);
}

bool is_about_store(const OptionParser& parser) {
  return parser.has("--store");
}

std::vector<std::string> store_words(const OptionParser& parser, bool starts) {
  if (!is_about_store(parser)) return {};
  std::string directory = parser.last("--store");
  if (!starts) {
    if (!directory.empty())
      throw UsageError(
          formatted("--store {}: stop takes no directory, it ends the running store; put --store last", directory));
    return {"store"};
  }
  if (directory.empty()) throw UsageError("--store needs a directory; give --store=DIR");
  std::vector<std::string> words = {"store=" + std::filesystem::absolute(directory).string()};
  for (const AgentFlag& flag : flags_of_start()) {
    if (!parser.has(flag.name)) continue;
    std::string value = parser.last(flag.name);
    if (flag.row->is_path) value = std::filesystem::absolute(value).string();
    refuse_comma(flag, value);
    words.push_back(formatted("{}={}", flag.row->name, value));
  }
  refuse_comma(words.front());
  if (parser.has("--keep")) {
    words.push_back("keep=" + parser.last("--keep"));
    refuse_comma(words.back());
  }
  return words;
}

void refuse_store_flags(const OptionParser& parser) {
  if (is_about_store(parser)) throw UsageError("--store belongs to start and stop");
  for (const AgentFlag& flag : flags_of_start())
    if (parser.has(flag.name)) throw UsageError(formatted("{} belongs to start --store=DIR", flag.name));
}

}  // namespace hearth::launcher
