#include "store_flags.h"

#include <filesystem>

#include "agent_flag_words.h"
#include "base/formatted.h"
#include "usage_error.h"

namespace hearth::launcher {
namespace {

constexpr const char* kOfStart[] = {"--window", "--budget",      "--on",         "--freeze",
                                    "--push",   "--push-labels", "--push-tenant"};

}  // namespace

void add_store_flags(OptionParser* parser) {
  parser->add_optional_value("--store", "[DIR]",
                             "start: keep windows of a low-rate profile there, for ever (%p is the process id); stop: "
                             "end that");
  parser->add_value("--window", "TIME", "How long a window of the store is (1m)");
  parser->add_value("--budget", "PERCENT", "What the store may cost, of one CPU (1%)");
  parser->add_value("--on", "WHEN", "Keep the last minutes apart when that is met: 'cpu>90%|oom|deadlock' and others");
  parser->add_value("--freeze", "TIME", "How much of the past --on keeps (5m)");
  parser->add_value("--push", "URL",
                    "Push the store's windows to Pyroscope, http://HOST:4040, or to an OpenTelemetry collector, "
                    "http://HOST:4318/v1development/profiles");
  parser->add_value("--push-labels", "LABELS", "What they are labelled with: \"service:NAME;version:V;env:prod\"");
  parser->add_value("--push-token", "FILE", "A bearer token for that server");
  parser->add_value("--push-tenant", "TENANT", "Which tenant of Pyroscope the windows are of");
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
          formatted("--store {}: stop ends the store that is running, wherever it is; put --store last", directory));
    return {"store"};
  }
  if (directory.empty()) throw UsageError("--store: which directory? write --store=DIR");
  std::vector<std::string> words = {"store=" + std::filesystem::absolute(directory).string()};
  for (const char* name : kOfStart)
    if (parser.has(name)) words.push_back(formatted("{}={}", std::string_view(name).substr(2), parser.last(name)));
  if (parser.has("--push-token"))
    words.push_back("push-token=" + std::filesystem::absolute(parser.last("--push-token")).string());
  if (parser.has("--keep")) words.push_back("keep=" + parser.last("--keep"));
  for (const std::string& word : words) refuse_comma(word);
  return words;
}

void refuse_store_flags(const OptionParser& parser) {
  if (is_about_store(parser)) throw UsageError("--store belongs to start and stop");
  for (const char* name : kOfStart)
    if (parser.has(name)) throw UsageError(formatted("{} belongs to start --store=DIR", name));
  if (parser.has("--push-token")) throw UsageError("--push-token belongs to start --store=DIR");
}

}  // namespace hearth::launcher
