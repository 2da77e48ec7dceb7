// GET /api/options and live, which change nothing; POST /api/start, stop, pause, resume, dump, profile and
// heap-holders. Their bodies are options as JSON and keys of the server itself: "format" makes the profile the reply,
// else it is stored and the reply describes it; "store": true does both; "seconds" is the duration of a profile.
#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/formatted.h"
#include "http/routes/json_options.h"
#include "http/routes/json_reply.h"
#include "http/routes/routes.h"

namespace hearth::http {
namespace {

constexpr double kLongest = 3600;

// A stop, dump or profile: its options, and the keys that only the server reads.
struct ProfileRequest {
  RequestOptions command;
  const ResponseFormat* format = nullptr;  // of the reply; null: it describes the stored profile
  int limit = 0;                           // of flat and traces; 0: the format's own
  Sessions::Keep keep = Sessions::Keep::kNowhere;
};

// Reads "flat=20": the format and its limit.
void set_format(const std::string& word, ProfileRequest* wanted) {
  size_t equals = word.find('=');
  wanted->format = &format_of(word.substr(0, equals));
  if (equals == std::string::npos) return;
  bool is_flat = wanted->format->format == profile::Format::kFlat;
  bool takes_limit = is_flat || wanted->format->format == profile::Format::kTraces;
  if (!takes_limit || word.find_first_not_of("0123456789", equals + 1) != std::string::npos)
    throw Refusal(400, "bad_option", formatted("format: cannot use \"{}\"", word),
                  "a number goes with flat and traces: flat=20");
  try {
    options::Options options = options::options_of({{"dump"}, {is_flat ? "flat" : "traces", word.substr(equals + 1)}});
    wanted->limit = is_flat ? options.flat_limit : options.traces_limit;
  } catch (const Error& error) {
    throw Refusal(400, "bad_option", error.what());
  }
}

ProfileRequest profile_request(std::string_view action, nlohmann::json body) {
  ProfileRequest wanted;
  if (auto format = body.find("format"); format != body.end()) {
    if (!format->is_string())
      throw Refusal(400, "bad_option", "format: its value is no text", "write \"format\": \"html\"");
    set_format(format->get<std::string>(), &wanted);
    body.erase(format);
  }
  bool stores = wanted.format == nullptr;
  if (auto store = body.find("store"); store != body.end()) {
    if (!store->is_boolean())
      throw Refusal(400, "bad_option", "store: its value is not true or false", "write \"store\": true");
    stores |= store->get<bool>();
    body.erase(store);
  }
  wanted.keep = stores ? Sessions::Keep::kInStore : Sessions::Keep::kNowhere;
  wanted.command = request_options(action, body);
  return wanted;
}

Sessions::Duration seconds_of(nlohmann::json* body) {
  auto seconds = body->find("seconds");
  if (seconds == body->end() || !seconds->is_number() || !(*seconds > 0 && *seconds <= kLongest))
    throw Refusal(400, "bad_option", "seconds: not a number above 0, up to 3600", "write \"seconds\": 10");
  double time = seconds->get<double>();
  body->erase(seconds);
  return std::chrono::duration_cast<Sessions::Duration>(std::chrono::duration<double>(time));
}

void refuse_in(const nlohmann::json& body, const char* key, const char* hint) {
  if (body.contains(key)) throw Refusal(400, "bad_option", formatted("option {} is not for this", key), hint);
}

Reply written(RouteContext* context, const Sessions::SessionProfile& made, const ProfileRequest& wanted) {
  profile::WriteOptions write = made.write;
  write.limit = wanted.limit;
  if (made.profile) return profile_reply(*made.profile, *wanted.format, write);
  return profile_reply(context->store->load(made.id), *wanted.format, write);
}

Reply noted(Reply reply, std::string_view action, const RequestOptions& request) {
  reply.note = std::string(action) + (request.given.empty() ? "" : "," + text_of(request.given));
  return reply;
}

// The profile in the requested format, else its description in the store.
Reply reply_of(RouteContext* context, const Sessions::SessionProfile& made, const ProfileRequest& wanted) {
  Reply reply;
  if (wanted.format != nullptr)
    reply = written(context, made, wanted);
  else if (made.profile)
    reply = json_reply({{"profile", context->store->describe(made.id, *made.profile)}});
  else
    reply = json_reply({{"profile", context->store->describe(made.id)}});
  if (!made.id.empty()) reply.headers.emplace_back("Hearth-Profile", made.id);
  return reply;
}

Reply start(RouteContext* context, const Request& request) {
  nlohmann::json body = json_body(request);
  refuse_in(body, "format", "give it with the stop: POST /api/stop");
  RequestOptions wanted = request_options("start", body);
  Sessions::Started started = context->sessions->start(wanted);
  return noted(json_reply({{"message", started.message}, {"id", started.id}, {"session", started.number}}), "start",
               wanted);
}

// Of a stop or dump that replies with a profile. One that only stores needs none, so that a stop is never refused.
std::optional<ConcurrencyLimit::Permit> permit_for(const ProfileRequest& wanted, RouteContext* context,
                                                   const Request& request) {
  if (wanted.format == nullptr) return std::nullopt;
  context->check_reply_buffer();
  return std::optional<ConcurrencyLimit::Permit>(std::in_place, &context->profiles, request.cancellation);
}

Reply stop(RouteContext* context, const Request& request) {
  ProfileRequest wanted = profile_request("stop", json_body(request));
  std::optional<ConcurrencyLimit::Permit> permit = permit_for(wanted, context, request);
  Sessions::SessionProfile made = context->sessions->stop(wanted.command, wanted.keep);
  try {
    return noted(reply_of(context, made, wanted), "stop", wanted.command);
  } catch (Refusal& refusal) {
    refusal.hint = "the session has ended: POST /api/dump still has its profile";
    throw;
  }
}

Reply pause(RouteContext* context, const Request& request) {
  RequestOptions wanted = request_options("pause", json_body(request));
  return noted(json_reply({{"message", context->sessions->pause(wanted)}}), "pause", wanted);
}

Reply resume(RouteContext* context, const Request& request) {
  RequestOptions wanted = request_options("resume", json_body(request));
  return noted(json_reply({{"message", context->sessions->resume(wanted)}}), "resume", wanted);
}

Reply dump(RouteContext* context, const Request& request) {
  ProfileRequest wanted = profile_request("dump", json_body(request));
  std::optional<ConcurrencyLimit::Permit> permit = permit_for(wanted, context, request);
  return noted(reply_of(context, context->sessions->dump(wanted.command, wanted.keep), wanted), "dump", wanted.command);
}

Reply profile(RouteContext* context, const Request& request) {
  nlohmann::json body = json_body(request);
  Sessions::Duration time = seconds_of(&body);
  refuse_in(body, "timeout", "give the duration as seconds");
  ProfileRequest wanted = profile_request("start", std::move(body));
  if (wanted.format != nullptr) context->check_reply_buffer();
  LongRequests::Permit long_permit(context->long_requests);
  std::optional<ConcurrencyLimit::Permit> permit;
  auto take_permit = [&] {
    if (wanted.format != nullptr)
      permit.emplace(&context->profiles, request.cancellation, ConcurrencyLimit::Wait::kUntilFree);
  };
  Sessions::SessionProfile made =
      context->sessions->profile(wanted.command, wanted.keep, time, request.cancellation, take_permit);
  return noted(reply_of(context, made, wanted), "profile", wanted.command);
}

// The profile so far of the running session. Unlike a dump it changes nothing and is not logged, since clients poll it.
Reply live(RouteContext* context, const Request& request) {
  Query query = request.query;
  auto given = query.find("format");
  ProfileRequest wanted;
  set_format(given == query.end() ? "pprof" : given->second, &wanted);
  query.erase("format");
  wanted.command = request_options("dump", query);
  context->check_reply_buffer();
  ConcurrencyLimit::Permit permit(&context->profiles, request.cancellation);
  return written(context, context->sessions->live(wanted.command), wanted);
}

// Which references keep live objects on the heap. A search of some seconds.
Reply holders(RouteContext* context, const Request& request) {
  RequestOptions wanted = request_options("heap-holders", json_body(request));
  LongRequests::Permit permit(context->long_requests);
  try {
    Reply reply = {200, "application/json", context->profiler->run(wanted.options).message};
    return noted(std::move(reply), "heap-holders", wanted);
  } catch (const Error& error) {
    throw Refusal(409, "conflict", error.what());
  }
}

// The rows of the options of a start. The console makes its form of them.
Reply options(const Request&) {
  constexpr const char* kTakes[] = {"nothing", "value", "optional", "values"};
  nlohmann::json all = nlohmann::json::array();
  for (const options::OptionRow& row : options::option_rows()) {
    if (!row.comes_by(options::kByHttp)) continue;
    all.push_back({{"name", row.name},
                   {"group", options::name_of(row.group)},
                   {"takes", kTakes[static_cast<size_t>(row.takes)]},
                   {"accepts", row.accepts},
                   {"default", row.usual},
                   {"example", row.example},
                   {"about", row.words},
                   {"output", row.shapes_output()}});
  }
  return json_reply({{"options", all}});
}

}  // namespace

void add_session_routes(RouteContext* context, Router* router) {
  router->add({"GET", "/api/options", options});
  router->add({"GET", "/api/live", [context](const Request& request) { return live(context, request); }});
  constexpr std::pair<const char*, Reply (*)(RouteContext*, const Request&)> kActions[] = {
      {"/api/start", start}, {"/api/stop", stop},       {"/api/pause", pause},         {"/api/resume", resume},
      {"/api/dump", dump},   {"/api/profile", profile}, {"/api/heap-holders", holders}};
  for (const auto& [path, action] : kActions)
    router->add(
        {"POST", path, [context, action = action](const Request& request) { return action(context, request); }});
}

}  // namespace hearth::http
