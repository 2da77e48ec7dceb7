// GET /api/options and live, which change nothing; POST /api/start, stop, dump, profile: the agent's options as JSON,
// and of the server itself "format" (the profile in it is the reply), "store" (else it is stored, and its description
// is the reply; true does both) and "seconds".
#include <algorithm>

#include "base/formatted.h"
#include "http/json_options.h"
#include "http/json_reply.h"
#include "http/routes.h"
#include "session/option_values.h"

namespace hearth::http {
namespace {

using Time = Interruption::Clock::duration;

constexpr double kLongest = 3600;

// What a body says, its own words taken out.
struct Wish {
  std::string options;
  const WireFormat* format = nullptr;
  bool store = false;
};

Wish wish_of(nlohmann::json body) {
  Wish wish;
  if (auto format = body.find("format"); format != body.end()) {
    if (!format->is_string())
      throw Refusal(400, "bad_option", "format: its value is no text", "write \"format\": \"html\"");
    wish.format = &format_of(format->get<std::string>());
    body.erase(format);
  }
  wish.store = wish.format == nullptr;
  if (auto store = body.find("store"); store != body.end()) {
    if (!store->is_boolean())
      throw Refusal(400, "bad_option", "store: its value is not true or false", "write \"store\": true");
    wish.store |= store->get<bool>();
    body.erase(store);
  }
  wish.options = options_text(body);
  return wish;
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
profile::Format agent_format(const WireFormat& format) {
  return format.format.value_or(profile::Format::kPprof);
}

Reply reply_of(std::string text, const WireFormat& format) {
  if (format.format) return profile_reply(std::move(text), format);
  return profile_reply(profile::read(text), format, {});
}

Reply reply_of_stored(Room* room, const std::string& id, const Wish& wish) {
  Reply reply = wish.format != nullptr ? profile_reply(room->store->load(id), *wish.format, write_options(wish.options))
                                       : json_reply({{"profile", room->store->describe(id)}});
  reply.headers.emplace_back("Hearth-Profile", id);
  return reply;
}

Reply noted(Reply reply, const std::string& what, const std::string& options) {
  reply.note = options.empty() ? what : what + "," + options;
  std::replace(reply.note.begin(), reply.note.end(), session::kCommaInValue, ',');
  return reply;
}

Reply start(Room* room, const Request& request) {
  nlohmann::json body = json_body(request);
  refuse_in(body, "format", "say it at the end: POST /api/stop");
  std::string options = options_text(body);
  Sessions::Started started = room->sessions->start(options);
  return noted(json_reply({{"message", started.message}, {"id", started.id}, {"session", started.number}}), "start",
               options);
}

Reply stop(Room* room, const Request& request) {
  Wish wish = wish_of(json_body(request));
  if (wish.store) return noted(reply_of_stored(room, room->sessions->stop(wish.options), wish), "stop", wish.options);
  return noted(reply_of(room->sessions->stop_as(agent_format(*wish.format), wish.options), *wish.format), "stop",
               wish.options);
}

Reply dump(Room* room, const Request& request) {
  Wish wish = wish_of(json_body(request));
  if (wish.store) return noted(reply_of_stored(room, room->sessions->dump(wish.options), wish), "dump", wish.options);
  return noted(reply_of(room->sessions->dump_as(agent_format(*wish.format), wish.options), *wish.format), "dump",
               wish.options);
}

Reply profile(Room* room, const Request& request) {
  nlohmann::json body = json_body(request);
  Time time = seconds_of(&body);
  refuse_in(body, "timeout", "say how long by seconds");
  Wish wish = wish_of(std::move(body));
  LongRequests::Place place(room->long_requests);
  Sessions* sessions = room->sessions;
  Reply reply =
      wish.store ? reply_of_stored(room, sessions->profile(wish.options, time, request.interruption), wish)
                 : reply_of(sessions->profile_as(agent_format(*wish.format), wish.options, time, request.interruption),
                            *wish.format);
  return noted(std::move(reply), "profile", wish.options);
}

// The profile of the session that runs, so far. Unlike a dump it is no change, and so no line of the log: who looks on
// asks again and again.
Reply live(Room* room, const Request& request) {
  auto query = request.query;
  auto given = query.find("format");
  const WireFormat& format = format_of(given == query.end() ? "pprof" : given->second);
  query.erase("format");
  return reply_of(room->sessions->live_as(agent_format(format), options_text(query)), format);
}

// What a start may say, for forms that are made of it.
Reply options(const Request&) {
  constexpr const char* kTakes[] = {"nothing", "value", "optional", "values"};
  nlohmann::json all = nlohmann::json::array();
  for (const session::OptionHelp& option : options_for_http())
    all.push_back({{"name", option.name},
                   {"takes", kTakes[static_cast<size_t>(option.takes)]},
                   {"accepts", option.accepts},
                   {"output", option.shapes_output}});
  return json_reply({{"options", all}});
}

}  // namespace

void add_session_routes(Room* room, Router* router) {
  router->add({"GET", "/api/options", options});
  router->add({"GET", "/api/live", [room](const Request& request) { return live(room, request); }});
  constexpr std::pair<const char*, Reply (*)(Room*, const Request&)> kActions[] = {
      {"/api/start", start}, {"/api/stop", stop}, {"/api/dump", dump}, {"/api/profile", profile}};
  for (const auto& [path, action] : kActions)
    router->add({"POST", path, [room, action = action](const Request& request) { return action(room, request); }});
}

}  // namespace hearth::http
