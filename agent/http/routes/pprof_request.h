// What the pprof endpoints take, as those of Go programs do: which profiles there are, and what a query says of one.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/routes/profile_formats.h"
#include "options/options.h"

namespace hearth::http {

struct PprofKind {
  std::string_view name;            // the last part of the path
  std::string_view needed;          // the agent's options that sample it
  std::string_view started;         // those of a session that is started for it
  std::vector<std::string> events;  // of the session's, what is in the profile
  bool adds_up;                     // without ?seconds it is all since the session's start, where one runs
  std::string_view about;           // for people
};
// In the order of the index page.
const std::vector<PprofKind>& pprof_kinds();

constexpr std::chrono::seconds kUsualPprofTime{30};  // Go's
constexpr std::chrono::seconds kLongestPprofTime{3600};

struct PprofRequest {
  std::optional<std::chrono::seconds> time;  // none: the query does not say
  const ResponseFormat* format = nullptr;
  options::Options output;
  bool collects_garbage = false;
};

// Throws Refusal 400, which names the parameter, for what is neither seconds, format, label nor an option that shapes
// outputs.
PprofRequest pprof_request(std::multimap<std::string, std::string> query);

}  // namespace hearth::http
