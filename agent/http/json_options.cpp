#include "http/json_options.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/formatted.h"
#include "base/nearest_word.h"
#include "session/option_values.h"

namespace hearth::http {
namespace {

// What a request says by its path, or by "format"; what the server keeps to itself; and what is the process's own.
constexpr std::string_view kNotByHttp[] = {
    "start",  "stop",      "pause",     "resume",     "dump",        "status",     "metrics",    "list",   "version",
    "http",   "stop-http", "token",     "keep",       "log",         "quiet",      "reply",      "file",   "store",
    "window", "loglevel",  "collapsed", "flamegraph", "pprof",       "flat",       "traces",     "budget", "from",
    "to",     "on",        "freeze",    "push",       "push-labels", "push-token", "push-tenant"};

Refusal bad_option(const std::string& message, const std::string& hint) {
  return {400, "bad_option", message, hint};
}

std::string hint_for(std::string_view key) {
  if (key == "file") return "profiles are kept in the store, under an id of its own; title gives one a name";
  if (key == "store" || key == "window" || key == "budget")
    return "who may write where is not for clients to say: start a store by the agent's options, or by hearth start "
           "--store=DIR PID";
  if (key == "from" || key == "to") return "GET /api/store/profile.html?from=10:02&to=10:05 is of a time";
  constexpr std::string_view kFormats[] = {"collapsed", "flamegraph", "pprof", "flat", "traces"};
  if (std::find(std::begin(kFormats), std::end(kFormats), key) != std::end(kFormats))
    return formatted("say it as \"format\": \"{}\"", key);
  return "leave it out";
}

bool is_for_http(std::string_view key) {
  return std::find(std::begin(kNotByHttp), std::end(kNotByHttp), key) == std::end(kNotByHttp);
}

void check_key(const std::string& key) {
  if (key == "label")
    throw bad_option("label chooses from a profile that is there, not what is sampled",
                     "store it, then GET /api/profiles/ID.html?label=KEY:VALUE");
  if (!is_for_http(key)) throw bad_option(formatted("option {} is not for HTTP", key), hint_for(key));
  std::vector<std::string_view> known;
  for (const session::OptionHelp& option : session::known_options()) {
    if (option.name == key) return;
    known.push_back(option.name);
  }
  auto nearest = nearest_word(key, known);
  throw bad_option(formatted("unknown option \"{}\"", key),
                   nearest ? formatted("did you mean \"{}\"?", *nearest) : "the README lists the options");
}

// Text for people; a comma in another value would be one between several.
bool may_hold_commas(std::string_view key) {
  constexpr std::string_view kTexts[] = {"title", "include", "exclude", "transform", "highlight"};
  return std::find(std::begin(kTexts), std::end(kTexts), key) != std::end(kTexts);
}

void check_value(const std::string& key, const std::string& value) {
  bool has_control = std::any_of(value.begin(), value.end(), [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; });
  bool has_comma = !may_hold_commas(key) && value.find(',') != std::string::npos;
  if (has_control || has_comma)
    throw bad_option(
        formatted("option {}: a value cannot hold {}", key, has_control ? "control characters" : "commas"),
        key == "features" || key == "filter" ? "put + (features) or ; (filter) between several" : "leave them out");
}

class Words {
 public:
  void add(const std::string& key) { append(key); }
  void add(const std::string& key, const std::string& value) {
    check_value(key, value);
    std::string text = value;
    std::replace(text.begin(), text.end(), ',', session::kCommaInValue);
    append(key + "=" + text);
  }
  void add(const std::string& key, const nlohmann::json& value) {
    if (value.is_boolean()) {
      if (value.get<bool>()) add(key);
    } else if (value.is_string()) {
      add(key, value.get<std::string>());
    } else if (value.is_number()) {
      add(key, value.dump());
    } else if (!value.is_null()) {
      throw bad_option(formatted("option {}: its value is no text, number, true or false", key), "write it as text");
    }
  }
  std::string take() { return std::move(text_); }

 private:
  void append(const std::string& word) {
    if (!text_.empty()) text_ += ',';
    text_ += word;
  }
  std::string text_;
};

}  // namespace

nlohmann::json json_body(const Request& request) {
  if (request.body.find_first_not_of(" \t\r\n") == std::string::npos) return nlohmann::json::object();
  // Deep nesting costs the parser stack only where it builds the value; a body is too short for that to matter.
  nlohmann::json body = nlohmann::json::parse(request.body, nullptr, false);
  if (!body.is_object())
    throw Refusal(400, "bad_request", "the body is no JSON object",
                  "send options as {\"event\": \"cpu\", …}, or nothing");
  return body;
}

std::string options_text(const nlohmann::json& object) {
  Words words;
  for (const auto& [key, value] : object.items()) {
    check_key(key);
    if (value.is_array()) {
      for (const nlohmann::json& one : value) words.add(key, one);
    } else {
      words.add(key, value);
    }
  }
  return words.take();
}

std::string options_text(const std::multimap<std::string, std::string>& query) {
  Words words;
  for (const auto& [key, value] : query) {
    check_key(key);
    if (value.empty() || value == "true")
      words.add(key);
    else
      words.add(key, value);
  }
  return words.take();
}

std::vector<session::OptionHelp> options_for_http() {
  std::vector<session::OptionHelp> options = session::known_options();
  options.erase(std::remove_if(options.begin(), options.end(),
                               [](const session::OptionHelp& option) { return !is_for_http(option.name); }),
                options.end());
  return options;
}

profile::WriteOptions write_options(const std::string& options) {
  try {
    return session::parse_options(options.empty() ? "dump" : "dump," + options).write;
  } catch (const Error& error) {
    throw Refusal(400, "bad_option", error.what());
  }
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
  profile::WriteOptions options = write_options(options_text(query));
  options.labels = std::move(labels);
  return options;
}

}  // namespace hearth::http
