// Options of a request: a JSON object, {"event": "cpu", "interval": "1ms", "threads": true, "include": ["a*"]}, or a
// query. They are parsed once, here.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "http/server/message.h"
#include "options/option_table.h"
#include "options/options.h"
#include "profile/formats/formats.h"

namespace hearth::http {

using Query = std::multimap<std::string, std::string>;

struct RequestOptions {
  options::Options options;
  std::vector<options::OptionSetting> given{};  // as the request has them, without the action
};

// "event=cpu,threads", for the log.
std::string text_of(const std::vector<options::OptionSetting>& given);

// The body of a request, an object; an empty body is an empty object. Throws Refusal 400.
nlohmann::json json_body(const Request& request);

// Parses options of `action`, one of the agent's words: "start". In JSON `true` is an option without a value, `false`
// and `null` are ignored, a list repeats the option. Throws Refusal 400 that names the key: an unknown option, one that
// HTTP does not accept (other actions, files), a value of another type, a control character, a comma that the option
// does not take, or another wrong value.
RequestOptions request_options(std::string_view action, const nlohmann::json& object);
// In a query the value "" or "true" is an option without a value.
RequestOptions request_options(std::string_view action, const Query& query);

// Removes each `label` from the query and returns their choices. Throws Refusal 400.
std::vector<profile::LabelChoice> take_labels(Query* query);

// How a query asks a stored profile to be written, labels included. Throws Refusal 400.
profile::WriteOptions write_options(Query query);

}  // namespace hearth::http
