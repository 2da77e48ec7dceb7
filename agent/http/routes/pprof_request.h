// The pprof endpoints' profiles and the queries that they accept, as those of Go programs.
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
  std::string needed;               // the events that it shows, as event= has them
  std::string started;              // those of a session that is started for it
  std::vector<std::string> events;  // of the profile, among the session's
  bool adds_up;                     // without ?seconds: everything since the start of a running session
  std::string_view about;           // for people
};
// In the order of the index page.
const std::vector<PprofKind>& pprof_kinds();
// The start of a session that samples these events.
options::Options start_of(std::string_view events);

constexpr std::chrono::seconds kUsualPprofTime{30};  // Go's
constexpr std::chrono::seconds kLongestPprofTime{3600};

struct PprofRequest {
  std::optional<std::chrono::seconds> time;  // none: the query has no seconds
  const ResponseFormat* format = nullptr;
  options::Options output;
  bool collects_garbage = false;
};

// Throws Refusal 400 that names the parameter for any but seconds, format, label and the options that shape outputs.
PprofRequest pprof_request(std::multimap<std::string, std::string> query);

}  // namespace hearth::http
