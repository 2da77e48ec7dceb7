#include "session/session_choice.h"

#include <algorithm>

#include "base/error.h"
#include "base/formatted.h"
#include "profile/event_view.h"
#include "session/sampled_events.h"

namespace hearth::session {
namespace {

using Places = std::vector<size_t>;

// Those that were said, and not what follows from silence.
std::vector<std::string> said_events(const Options& command) {
  const Options::Said& said = command.said;
  if (said.event == profile::kLiveEvent) return {profile::kAllocEvent};
  bool says_any = !said.event.empty() || said.wall || said.alloc || said.lock;
  return says_any ? event_names(command) : std::vector<std::string>();
}

bool is_meant(const SessionTag& tag, const Options& command, const std::vector<std::string>& events) {
  if (!command.session.empty()) return command.session == tag.name || command.session == std::to_string(tag.number);
  return std::all_of(events.begin(), events.end(), [&](const std::string& event) {
    return std::find(tag.events.begin(), tag.events.end(), event) != tag.events.end();
  });
}

std::string texts_of(const std::vector<SessionTag>& sessions, const Places& places) {
  std::vector<std::string> texts;
  for (size_t place : places) texts.push_back(tag_text(sessions[place]));
  return joined(texts, "; ");
}

template <typename Is>
Places places_where(const std::vector<SessionTag>& sessions, const Is& is) {
  Places places;
  for (size_t i = 0; i < sessions.size(); i++)
    if (is(sessions[i])) places.push_back(i);
  return places;
}

[[noreturn]] void refuse_none(const std::vector<SessionTag>& sessions, const Options& command) {
  bool stops = command.action == Action::kStop;
  if (sessions.empty() && stops) throw Error("no session is running", "start one first");
  if (sessions.empty()) throw Error("nothing was profiled yet", "start a session first");
  Places running = places_where(sessions, [](const SessionTag& tag) { return tag.running; });
  if (stops && running.empty()) throw Error("no session is running", "dump writes the profile of the last one");
  std::string wanted = command.session.empty() ? joined(said_events(command), " and ") : command.session;
  const char* what = command.session.empty() ? "samples" : "is called";
  if (running.empty()) throw Error(formatted("no session {} {}", what, wanted), "status tells which there are");
  throw Error(formatted("no session {} {}", what, wanted), formatted("running: {}", texts_of(sessions, running)));
}

// Without a name.
[[noreturn]] void refuse_private(const std::vector<SessionTag>& sessions, const Places& places) {
  throw Error(formatted("what runs are sessions of clients that end them themselves: {}", texts_of(sessions, places)),
              "to stop one all the same say which by session=NAME");
}

// Whatever else is said must be true of the one that was named.
void check_events(const SessionTag& named, const std::vector<std::string>& events) {
  for (const std::string& event : events) {
    if (std::find(named.events.begin(), named.events.end(), event) != named.events.end()) continue;
    throw Error(
        formatted("session {} samples {}, and no {}", named.name.empty() ? std::to_string(named.number) : named.name,
                  joined(named.events, ", "), event),
        "leave out the event, or name another session");
  }
}

size_t place_of(const std::vector<SessionTag>& sessions, const Options& command,
                const std::vector<std::string>& events) {
  Places meant = places_where(sessions, [&](const SessionTag& tag) { return is_meant(tag, command, events); });
  Places running, unnamed, of_clients;
  for (size_t place : meant) {
    if (!sessions[place].running) continue;
    bool is_of_client = command.session.empty() && is_private(sessions[place].name);
    (is_of_client ? of_clients : running).push_back(place);
    if (sessions[place].name.empty()) unnamed.push_back(place);
  }
  if (running.empty() && !of_clients.empty()) {
    if (command.action == Action::kStop) refuse_private(sessions, of_clients);
    running = of_clients;
  }
  if (running.size() == 1) return running[0];
  if (unnamed.size() == 1) return unnamed[0];
  if (!running.empty())
    throw Error(formatted("{} sessions are running: {}", running.size(), texts_of(sessions, running)),
                events.empty() ? "say which one by event=EVENT or session=NAME (-e EVENT, --session NAME)"
                               : "say which one by session=NAME (--session NAME)");
  if (meant.empty() || command.action == Action::kStop) refuse_none(sessions, command);
  return meant.back();
}

}  // namespace

bool is_private(const std::string& session_name) {
  return !session_name.empty() && session_name[0] == '.';
}

std::string tag_text(const SessionTag& tag) {
  std::string events = joined(tag.events, ", ");
  return tag.name.empty() ? events : formatted("{} (session={})", events, tag.name);
}

size_t chosen_session(const std::vector<SessionTag>& sessions, const Options& command) {
  std::vector<std::string> events = said_events(command);
  size_t place = place_of(sessions, command, events);
  if (!command.session.empty()) check_events(sessions[place], events);
  return place;
}

}  // namespace hearth::session
