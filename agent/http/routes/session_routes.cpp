// GET /api/options and live, which change nothing; POST /api/start, stop, dump, profile: the agent's options as JSON,
// and of the server itself "format" (the profile in it is the reply), "store" (else it is stored, and its description
// is the reply; true does both) and "seconds".
#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/formatted.h"
#include "http/routes/json_options.h"
#include "http/routes/json_reply.h"
#include "http/routes/routes.h"
#include "options/option_values.h"

namespace hearth::http {
namespace {

using Time = CancellationToken::Clock::duration;

constexpr double kLongest = 3600;

// The options of a body, without the server's own keys.
struct RequestOptions {
  std::string options;
  const ResponseFormat* format = nullptr;
  int limit = 0;  // of flat and traces; 0: the format's own
  bool store = false;
};

// Parses "flat=20" into the format and its limit.
void set_format(const std::string& word, RequestOptions* wanted) {
  size_t equals = word.find('=');
  wanted->format = &format_of(word.substr(0, equals));
  if (equals == std::string::npos) return;
  bool is_flat = wanted->format->format == profile::Format::kFlat;
  bool takes_limit = is_flat || wanted->format->format == profile::Format::kTraces;
  if (!takes_limit || word.find_first_not_of("0123456789", equals + 1) != std::string::npos)
    throw Refusal(400, "bad_option", formatted("format: cannot use \"{}\"", word),
                  "a number goes with flat and traces: flat=20");
  try {
    options::Options options = options::parse_options("dump," + word);
    wanted->limit = is_flat ? options.flat_limit : options.traces_limit;
  } catch (const Error& error) {
    throw Refusal(400, "bad_option", error.what());
  }
}

RequestOptions parse_request_options(nlohmann::json body) {
  RequestOptions wanted;
  if (auto format = body.find("format"); format != body.end()) {
    if (!format->is_string())
      throw Refusal(400, "bad_option", "format: its value is no text", "write \"format\": \"html\"");
    set_format(format->get<std::string>(), &wanted);
    body.erase(format);
  }
  wanted.store = wanted.format == nullptr;
  if (auto store = body.find("store"); store != body.end()) {
    if (!store->is_boolean())
      throw Refusal(400, "bad_option", "store: its value is not true or false", "write \"store\": true");
    wanted.store |= store->get<bool>();
    body.erase(store);
  }
  wanted.options = options_text(body);
  return wanted;
}

Time seconds_of(nlohmann::json* body) {
  auto seconds = body->find("seconds");
  if (seconds == body->end() || !seconds->is_number() || !(*seconds > 0 && *seconds <= kLongest))
    throw Refusal(400, "bad_option", "seconds: not a number above 0, up to 3600", "write \"seconds\": 10");
  double time = seconds->get<double>();
  body->erase(seconds);
  return std::chrono::duration_cast<Time>(std::chrono::duration<double>(time));
}

void refuse_in(const nlohmann::json& body, const char* key, const char* hint) {
  if (body.contains(key)) throw Refusal(400, "bad_option", formatted("option {} is not for this", key), hint);
}

// The agent writes all formats but JSON.
std::string agent_format(const RequestOptions& wanted) {
  std::string word(profile::word_of(wanted.format->format.value_or(profile::Format::kPprof)));
  return wanted.limit == 0 ? word : formatted("{}={}", word, wanted.limit);
}

Reply reply_of(std::string text, const ResponseFormat& format) {
  if (format.format) return profile_reply(std::move(text), format);
  return profile_reply(profile::read(text), format, {});
}

Reply reply_of_stored(RouteContext* context, const std::string& id, const RequestOptions& wanted) {
  Reply reply;
  if (wanted.format == nullptr) {
    reply = json_reply({{"profile", context->store->describe(id)}});
  } else {
    profile::WriteOptions write = write_options(wanted.options);
    write.limit = wanted.limit;
    reply = profile_reply(context->store->load(id), *wanted.format, write);
  }
  reply.headers.emplace_back("Hearth-Profile", id);
  return reply;
}

Reply noted(Reply reply, const std::string& what, const std::string& options) {
  reply.note = options.empty() ? what : what + "," + options;
  std::replace(reply.note.begin(), reply.note.end(), options::kCommaInValue, ',');
  return reply;
}

Reply start(RouteContext* context, const Request& request) {
  nlohmann::json body = json_body(request);
  refuse_in(body, "format", "say it at the end: POST /api/stop");
  std::string options = options_text(body);
  Sessions::Started started = context->sessions->start(options);
  return noted(json_reply({{"message", started.message}, {"id", started.id}, {"session", started.number}}), "start",
               options);
}

// For a stop or a dump. Without a profile to send none is needed, so that a stop is never refused.
std::optional<ConcurrencyLimit::Permit> permit_for(const RequestOptions& wanted, RouteContext* context,
                                                   const Request& request) {
  if (wanted.format == nullptr) return std::nullopt;
  context->check_reply_buffer();
  return std::optional<ConcurrencyLimit::Permit>(std::in_place, &context->profiles, request.cancellation);
}

Reply stop(RouteContext* context, const Request& request) {
  RequestOptions wanted = parse_request_options(json_body(request));
  std::optional<ConcurrencyLimit::Permit> permit = permit_for(wanted, context, request);
  if (wanted.store)
    return noted(reply_of_stored(context, context->sessions->stop(wanted.options), wanted), "stop", wanted.options);
  return noted(reply_of(context->sessions->stop_as(agent_format(wanted), wanted.options), *wanted.format), "stop",
               wanted.options);
}

Reply pause(RouteContext* context, const Request& request) {
  std::string options = options_text(json_body(request));
  return noted(json_reply({{"message", context->sessions->pause(options)}}), "pause", options);
}

Reply resume(RouteContext* context, const Request& request) {
  std::string options = options_text(json_body(request));
  return noted(json_reply({{"message", context->sessions->resume(options)}}), "resume", options);
}

Reply dump(RouteContext* context, const Request& request) {
  RequestOptions wanted = parse_request_options(json_body(request));
  std::optional<ConcurrencyLimit::Permit> permit = permit_for(wanted, context, request);
  if (wanted.store)
    return noted(reply_of_stored(context, context->sessions->dump(wanted.options), wanted), "dump", wanted.options);
  return noted(reply_of(context->sessions->dump_as(agent_format(wanted), wanted.options), *wanted.format), "dump",
               wanted.options);
}

Reply profile(RouteContext* context, const Request& request) {
  nlohmann::json body = json_body(request);
  Time time = seconds_of(&body);
  refuse_in(body, "timeout", "say how long by seconds");
  RequestOptions wanted = parse_request_options(std::move(body));
  if (wanted.format != nullptr) context->check_reply_buffer();
  LongRequests::Permit long_permit(context->long_requests);
  std::string made =
      wanted.store ? context->sessions->profile(wanted.options, time, request.cancellation)
                   : context->sessions->profile_as(agent_format(wanted), wanted.options, time, request.cancellation);
  ConcurrencyLimit::Permit permit(&context->profiles, request.cancellation, ConcurrencyLimit::Wait::kUntilFree);
  Reply reply = wanted.store ? reply_of_stored(context, made, wanted) : reply_of(std::move(made), *wanted.format);
  return noted(std::move(reply), "profile", wanted.options);
}

// The profile so far of the running session. Unlike a dump it changes nothing and is not logged, since clients poll it.
Reply live(RouteContext* context, const Request& request) {
  auto query = request.query;
  auto given = query.find("format");
  RequestOptions wanted;
  set_format(given == query.end() ? "pprof" : given->second, &wanted);
  query.erase("format");
  context->check_reply_buffer();
  ConcurrencyLimit::Permit permit(&context->profiles, request.cancellation);
  return reply_of(context->sessions->live_as(agent_format(wanted), options_text(query)), *wanted.format);
}

// The options of a start; the console makes its form from them.
Reply options(const Request&) {
  constexpr const char* kTakes[] = {"nothing", "value", "optional", "values"};
  nlohmann::json all = nlohmann::json::array();
  for (const options::OptionHelp& option : options_for_http())
    all.push_back({{"name", option.name},
                   {"takes", kTakes[static_cast<size_t>(option.takes)]},
                   {"accepts", option.accepts},
                   {"output", option.shapes_output}});
  return json_reply({{"options", all}});
}

}  // namespace

void add_session_routes(RouteContext* context, Router* router) {
  router->add({"GET", "/api/options", options});
  router->add({"GET", "/api/live", [context](const Request& request) { return live(context, request); }});
  constexpr std::pair<const char*, Reply (*)(RouteContext*, const Request&)> kActions[] = {
      {"/api/start", start},   {"/api/stop", stop}, {"/api/pause", pause},
      {"/api/resume", resume}, {"/api/dump", dump}, {"/api/profile", profile}};
  for (const auto& [path, action] : kActions)
    router->add(
        {"POST", path, [context, action = action](const Request& request) { return action(context, request); }});
}

}  // namespace hearth::http
