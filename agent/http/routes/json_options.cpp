#include "http/routes/json_options.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/formatted.h"
#include "base/nearest_word.h"
#include "options/asprof_options.h"

namespace hearth::http {
namespace {

Refusal bad_option(const std::string& message, const std::string& hint) {
  return {400, "bad_option", message, hint};
}

std::string hint_for(const options::OptionRow& option) {
  std::string_view key = option.name;
  if (key == "file") return "the server stores profiles under ids; title gives one a name";
  if (key == "tree") return "write \"format\": \"html\"; the page has the tree";
  if (option.group == options::Group::kFormat) return formatted("write \"format\": \"{}\"", key);
  if (key == "from" || key == "to")
    return "GET /api/store/profile.html?from=10:02&to=10:05 returns a range of the store";
  if (option.group == options::Group::kStore)
    return "only the process chooses where it writes: start a store by the agent's options, or by hearth start "
           "--store=DIR PID";
  return "leave it out";
}

void check_key(const std::string& key) {
  if (key == "label")
    throw bad_option("label chooses samples of a stored profile",
                     "store it, then GET /api/profiles/ID.html?label=KEY:VALUE");
  if (options::comes_by(key, options::kByHttp)) return;
  const options::OptionRow* row = options::option_named(key);
  if (row != nullptr) throw bad_option(formatted("option {} is not for HTTP", key), hint_for(*row));
  std::vector<std::string_view> known;
  for (const options::OptionRow& option : options::option_rows())
    if (option.comes_by(options::kByHttp)) known.push_back(option.name);
  using options::Grammar;
  std::string_view instead = options::instead_of_asprof_option(key, Grammar::kJson);
  if (instead.empty()) instead = options::instead_of_asprof_action(key, Grammar::kJson);
  if (!instead.empty()) throw bad_option(formatted("{} is an option of async-profiler", key), std::string(instead));
  auto nearest = nearest_word(key, known);
  throw bad_option(formatted("unknown option \"{}\"", key),
                   nearest ? formatted("did you mean \"{}\"?", *nearest) : "GET /api/options lists them");
}

// In the command line's grammar a comma separates options; clients that copy a line from there get a remedy.
bool may_hold_commas(std::string_view key) {
  const options::OptionRow* row = options::option_named(key);
  return row != nullptr && (row->commas == options::Commas::kKept || row->commas == options::Commas::kKeptInJson);
}

void check_value(const std::string& key, const std::string& value) {
  bool has_control = std::any_of(value.begin(), value.end(), [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; });
  bool has_comma = !may_hold_commas(key) && value.find(',') != std::string::npos;
  if (has_control || has_comma)
    throw bad_option(
        formatted("option {}: a value cannot hold {}", key, has_control ? "control characters" : "commas"),
        key == "features" || key == "filter" ? "put + (features) or ; (filter) between several" : "leave them out");
}

using Settings = std::vector<options::OptionSetting>;

void add(const std::string& key, const std::string& value, Settings* settings) {
  check_value(key, value);
  settings->push_back({key, value});
}

void add(const std::string& key, const nlohmann::json& value, Settings* settings) {
  if (value.is_boolean()) {
    if (value.get<bool>()) settings->push_back({key});
  } else if (value.is_string()) {
    add(key, value.get<std::string>(), settings);
  } else if (value.is_number()) {
    add(key, value.dump(), settings);
  } else if (!value.is_null()) {
    throw bad_option(formatted("option {}: its value is no text, number, true or false", key), "write it as text");
  }
}

RequestOptions parsed(std::string_view action, Settings given) {
  Settings all{options::OptionSetting{std::string(action)}};
  all.insert(all.end(), given.begin(), given.end());
  try {
    return {options::options_of(all), std::move(given)};
  } catch (const Error& error) {
    throw Refusal(400, "bad_option", error.what());
  }
}

}  // namespace

std::string text_of(const Settings& given) {
  std::string text;
  for (const options::OptionSetting& setting : given) {
    if (!text.empty()) text += ',';
    text += setting.name;
    if (setting.value) text += '=' + *setting.value;
  }
  return text;
}

nlohmann::json json_body(const Request& request) {
  if (request.body.find_first_not_of(" \t\r\n") == std::string::npos) return nlohmann::json::object();
  // Deep nesting costs the parser stack only where it builds the value; a body is too short for that to matter.
  nlohmann::json body = nlohmann::json::parse(request.body, nullptr, false);
  if (!body.is_object())
    throw Refusal(400, "bad_request", "the body is no JSON object",
                  "send options as {\"event\": \"cpu\", …}, or nothing");
  return body;
}

RequestOptions request_options(std::string_view action, const nlohmann::json& object) {
  Settings given;
  for (const auto& [key, value] : object.items()) {
    check_key(key);
    if (value.is_array()) {
      if (value.empty() && key == "event") given.push_back({key, ""});  // refused as no event
      for (const nlohmann::json& one : value) add(key, one, &given);
    } else {
      add(key, value, &given);
    }
  }
  return parsed(action, std::move(given));
}

RequestOptions request_options(std::string_view action, const Query& query) {
  Settings given;
  for (const auto& [key, value] : query) {
    check_key(key);
    if (value.empty() || value == "true")
      given.push_back({key});
    else
      add(key, value, &given);
  }
  return parsed(action, std::move(given));
}

std::vector<profile::LabelChoice> take_labels(Query* query) {
  std::vector<profile::LabelChoice> labels;
  auto [begin, end] = query->equal_range("label");
  for (auto given = begin; given != end; ++given) {
    try {
      labels.push_back(profile::label_choice(given->second));
    } catch (const profile::FormatError& error) {
      throw bad_option(formatted("label: {}", error.what()), "label=KEY:VALUE, as often as you like");
    }
  }
  query->erase(begin, end);
  return labels;
}

profile::WriteOptions write_options(Query query) {
  std::vector<profile::LabelChoice> labels = take_labels(&query);
  profile::WriteOptions write = request_options("dump", query).options.write;
  write.labels = std::move(labels);
  return write;
}

}  // namespace hearth::http
