// Formats of a profile in a reply: those of agent/profile, and JSON for programs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "http/server/message.h"
#include "profile/formats/formats.h"

namespace hearth::http {

struct ResponseFormat {
  std::string_view word;                  // of "format": html, collapsed, pprof, jfr, otlp, flat, traces, json
  std::string_view ending;                // of a path: ".html"; "": none
  std::string_view type;                  // of the reply's body
  std::optional<profile::Format> format;  // none: JSON
};

// Finds a format by the word of "format" or a synonym (flamegraph, pb.gz, folded). Throws Refusal 400.
const ResponseFormat& format_of(std::string_view word);

// Splits "ID.html" into the id and the format of its ending; null for an id alone.
std::pair<std::string, const ResponseFormat*> id_and_format(const std::string& name);

// The same, where an id alone means JSON, for programs, and "ID.txt" is collapsed, which is a text.
std::pair<std::string, const ResponseFormat*> id_and_text_format(const std::string& name);

// The profile in that format, as a reply; JSON has all events, and the stacks and labels that `options` choose. Throws
// Refusal 400 for an event or labels that the profile does not have.
Reply profile_reply(const profile::Profile& profile, const ResponseFormat& format,
                    const profile::WriteOptions& options);

// The same for a text that has the format already.
Reply profile_reply(std::string text, const ResponseFormat& format);

// {"title", "event", "runtime", "start_unix_ms", "duration_ns", "values": [{"type", "unit", "interval"}], "quality",
//  "frames": [{"name", "kind"}], "samples": [{"stack": [index of a frame, outermost first], "values", "labels"}]}
std::string write_json(const profile::Profile& profile, const profile::WriteOptions& options = {});

}  // namespace hearth::http
