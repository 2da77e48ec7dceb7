// The agent's options as a JSON object says them: {"event": "cpu", "interval": "1ms", "threads": true, "include":
// ["a*"]}.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "http/server/message.h"
#include "options/options.h"
#include "profile/formats/formats.h"

namespace hearth::http {

// The body of a request, an object; an empty body is an empty one. Throws Refusal 400.
nlohmann::json json_body(const Request& request);

// "event=cpu,interval=1ms,threads,include=a*": true is a key alone, false and null are nothing, a list is the key as
// many times. Throws Refusal 400 that names the key: for one that the agent does not know, for one that is not for HTTP
// (other actions, and paths), for a value that is no text, number or truth, and for text that the agent's options
// cannot hold (control characters, and commas except in titles, patterns and events, where options::kCommaInValue
// stands for them).
std::string options_text(const nlohmann::json& object);

// The same of a query, whose values are text; a key alone stands for itself.
std::string options_text(const std::multimap<std::string, std::string>& query);

// The options that a request may give, as the agent knows them.
std::vector<options::OptionHelp> options_for_http();

// Those of `options` that shape the writing of a profile. Throws Refusal 400 for a value that cannot be used.
profile::WriteOptions write_options(const std::string& options);

using Query = std::multimap<std::string, std::string>;

// The samples that `label` chooses, as often as it stands there; it is taken away. Throws Refusal 400.
std::vector<profile::LabelChoice> take_labels(Query* query);

// Of a query what shapes the writing of a profile that is there, labels too. Throws Refusal 400.
profile::WriteOptions write_options(Query query);

}  // namespace hearth::http
