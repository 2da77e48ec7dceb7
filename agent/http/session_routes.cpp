// GET /api/options and live, which change nothing; POST /api/start, stop, dump, profile: the agent's options as JSON,
// and of the server itself "format" (the profile in it is the reply), "store" (else it is stored, and its description
// is the reply; true does both) and "seconds".
#include <algorithm>
#include <optional>

#include "base/error.h"
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
  int limit = 0;  // of flat and traces; 0: the format's own
  bool store = false;
};

// "flat=20" parted into the format and how many.
void set_format(const std::string& word, Wish* wish) {
  size_t equals = word.find('=');
  wish->format = &format_of(word.substr(0, equals));
  if (equals == std::string::npos) return;
  bool is_flat = wish->format->format == profile::Format::kFlat;
  bool takes_limit = is_flat || wish->format->format == profile::Format::kTraces;
  if (!takes_limit || word.find_first_not_of("0123456789", equals + 1) != std::string::npos)
    throw Refusal(400, "bad_option", formatted("format: cannot use \"{}\"", word),
                  "a number goes with flat and traces: flat=20");
  try {
    session::Options options = session::parse_options("dump," + word);
    wish->limit = is_flat ? options.flat_limit : options.traces_limit;
  } catch (const Error& error) {
    throw Refusal(400, "bad_option", error.what());
  }
}

Wish wish_of(nlohmann::json body) {
  Wish wish;
  if (auto format = body.find("format"); format != body.end()) {
    if (!format->is_string())
      throw Refusal(400, "bad_option", "format: its value is no text", "write \"format\": \"html\"");
    set_format(format->get<std::string>(), &wish);
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
std::string agent_format(const Wish& wish) {
  std::string word(profile::word_of(wish.format->format.value_or(profile::Format::kPprof)));
  return wish.limit == 0 ? word : formatted("{}={}", word, wish.limit);
}

Reply reply_of(std::string text, const WireFormat& format) {
  if (format.format) return profile_reply(std::move(text), format);
  return profile_reply(profile::read(text), format, {});
}

Reply reply_of_stored(Room* room, const std::string& id, const Wish& wish) {
  Reply reply;
  if (wish.format == nullptr) {
    reply = json_reply({{"profile", room->store->describe(id)}});
  } else {
    profile::WriteOptions write = write_options(wish.options);
    write.limit = wish.limit;
    reply = profile_reply(room->store->load(id), *wish.format, write);
  }
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

// Of a stop, which is never refused where no profile is to be sent, and a dump.
std::optional<Turns::Turn> turn_for(const Wish& wish, Room* room, const Request& request) {
  if (wish.format == nullptr) return std::nullopt;
  room->check_unsent();
  return std::optional<Turns::Turn>(std::in_place, &room->profiles, request.interruption);
}

Reply stop(Room* room, const Request& request) {
  Wish wish = wish_of(json_body(request));
  std::optional<Turns::Turn> turn = turn_for(wish, room, request);
  if (wish.store) return noted(reply_of_stored(room, room->sessions->stop(wish.options), wish), "stop", wish.options);
  return noted(reply_of(room->sessions->stop_as(agent_format(wish), wish.options), *wish.format), "stop", wish.options);
}

Reply pause(Room* room, const Request& request) {
  std::string options = options_text(json_body(request));
  return noted(json_reply({{"message", room->sessions->pause(options)}}), "pause", options);
}

Reply resume(Room* room, const Request& request) {
  std::string options = options_text(json_body(request));
  return noted(json_reply({{"message", room->sessions->resume(options)}}), "resume", options);
}

Reply dump(Room* room, const Request& request) {
  Wish wish = wish_of(json_body(request));
  std::optional<Turns::Turn> turn = turn_for(wish, room, request);
  if (wish.store) return noted(reply_of_stored(room, room->sessions->dump(wish.options), wish), "dump", wish.options);
  return noted(reply_of(room->sessions->dump_as(agent_format(wish), wish.options), *wish.format), "dump", wish.options);
}

Reply profile(Room* room, const Request& request) {
  nlohmann::json body = json_body(request);
  Time time = seconds_of(&body);
  refuse_in(body, "timeout", "say how long by seconds");
  Wish wish = wish_of(std::move(body));
  if (wish.format != nullptr) room->check_unsent();
  LongRequests::Place place(room->long_requests);
  std::string made = wish.store
                         ? room->sessions->profile(wish.options, time, request.interruption)
                         : room->sessions->profile_as(agent_format(wish), wish.options, time, request.interruption);
  Turns::Turn turn(&room->profiles, request.interruption, Turns::Wait::kToTheEnd);
  Reply reply = wish.store ? reply_of_stored(room, made, wish) : reply_of(std::move(made), *wish.format);
  return noted(std::move(reply), "profile", wish.options);
}

// The profile of the session that runs, so far. Unlike a dump it is no change, and so no line of the log: who looks on
// asks again and again.
Reply live(Room* room, const Request& request) {
  auto query = request.query;
  auto given = query.find("format");
  Wish wish;
  set_format(given == query.end() ? "pprof" : given->second, &wish);
  query.erase("format");
  room->check_unsent();
  Turns::Turn turn(&room->profiles, request.interruption);
  return reply_of(room->sessions->live_as(agent_format(wish), options_text(query)), *wish.format);
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
      {"/api/start", start},   {"/api/stop", stop}, {"/api/pause", pause},
      {"/api/resume", resume}, {"/api/dump", dump}, {"/api/profile", profile}};
  for (const auto& [path, action] : kActions)
    router->add({"POST", path, [room, action = action](const Request& request) { return action(room, request); }});
}

}  // namespace hearth::http
