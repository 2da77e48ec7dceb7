#include "commands/sessions/session_choice.h"

#include <algorithm>

#include "base/error.h"
#include "base/formatted.h"
#include "options/event_options.h"
#include "options/sampled_events.h"
#include "profile/model/event_view.h"

namespace hearth::commands {
namespace {

using Places = std::vector<size_t>;

bool has(const std::vector<std::string>& events, const std::string& event) {
  return std::find(events.begin(), events.end(), event) != events.end();
}

bool is_meant(const SessionDescriptor& tag, const options::Options& command, const std::vector<std::string>& events) {
  if (!command.session.empty()) return command.session == tag.name || command.session == std::to_string(tag.number);
  if (command.action == options::Action::kResume)
    return !tag.paused.empty() &&
           std::all_of(events.begin(), events.end(), [&](const std::string& event) { return has(tag.paused, event); });
  bool pauses = command.action == options::Action::kPause;
  return std::all_of(events.begin(), events.end(), [&](const std::string& event) {
    return has(tag.events, event) && !(pauses && has(tag.paused, event));
  });
}

// Keeps the sessions that sample these events now, if there are any.
void prefer_unpaused(const std::vector<SessionDescriptor>& sessions, const std::vector<std::string>& events,
                     Places* places) {
  Places unpaused;
  for (size_t place : *places)
    if (std::none_of(events.begin(), events.end(),
                     [&](const auto& event) { return has(sessions[place].paused, event); }))
      unpaused.push_back(place);
  if (!unpaused.empty()) places->swap(unpaused);
}

// Whether the command changes a session: then it must run, and a wrong guess would do harm.
bool is_change(options::Action action) {
  return action == options::Action::kStop || action == options::Action::kPause || action == options::Action::kResume;
}

std::string texts_of(const std::vector<SessionDescriptor>& sessions, const Places& places) {
  std::vector<std::string> texts;
  for (size_t place : places) texts.push_back(describe_session(sessions[place]));
  return joined(texts, "; ");
}

template <typename Is>
Places places_where(const std::vector<SessionDescriptor>& sessions, const Is& is) {
  Places places;
  for (size_t i = 0; i < sessions.size(); i++)
    if (is(sessions[i])) places.push_back(i);
  return places;
}

[[noreturn]] void refuse_none(const std::vector<SessionDescriptor>& sessions, const options::Options& command) {
  bool changes = is_change(command.action);
  if (sessions.empty() && changes) throw Error("no session is running", "start one first");
  if (sessions.empty()) throw Error("nothing was profiled yet", "start a session first");
  Places running = places_where(sessions, [](const SessionDescriptor& tag) { return tag.running; });
  if (changes && running.empty()) throw Error("no session is running", "dump writes the profile of the last one");
  if (command.action == options::Action::kResume && command.session.empty())
    throw Error(formatted("no session has paused {}",
                          explicit_events(command).empty() ? "anything" : joined(explicit_events(command), " and ")),
                formatted("running: {}", texts_of(sessions, running)));
  std::vector<std::string> events = explicit_events(command);
  for (size_t place : running) {
    const SessionDescriptor& tag = sessions[place];
    bool has_all = std::all_of(events.begin(), events.end(), [&](const auto& event) { return has(tag.paused, event); });
    if (command.action == options::Action::kPause && command.session.empty() && !events.empty() && has_all)
      throw Error(formatted("session {} has paused {} already", tag.number, joined(events, " and ")),
                  "resume continues it");
  }
  std::string wanted = command.session.empty() ? joined(explicit_events(command), " and ") : command.session;
  const char* what = command.session.empty() ? "samples" : "is called";
  if (running.empty()) throw Error(formatted("no session {} {}", what, wanted), "status lists the sessions");
  throw Error(formatted("no session {} {}", what, wanted), formatted("running: {}", texts_of(sessions, running)));
}

// Only private sessions run, and the command names none.
[[noreturn]] void refuse_private(const std::vector<SessionDescriptor>& sessions, const Places& places) {
  throw Error(formatted("only sessions of clients, which end them, are running: {}", texts_of(sessions, places)),
              "to choose one all the same give session=NAME");
}

// Throws where the named session does not sample an event that the command names as well.
void check_events(const SessionDescriptor& named, const std::vector<std::string>& events) {
  for (const std::string& event : events) {
    if (has(named.events, event)) continue;
    throw Error(
        formatted("session {} samples {}, and no {}", named.name.empty() ? std::to_string(named.number) : named.name,
                  joined(named.events, ", "), event),
        "leave out the event, or name another session");
  }
}

size_t place_of(const std::vector<SessionDescriptor>& sessions, const options::Options& command,
                const std::vector<std::string>& events) {
  Places meant = places_where(sessions, [&](const SessionDescriptor& tag) { return is_meant(tag, command, events); });
  Places running, unnamed, of_clients;
  for (size_t place : meant) {
    if (!sessions[place].running) continue;
    bool is_of_client = command.session.empty() && is_private(sessions[place].name);
    (is_of_client ? of_clients : running).push_back(place);
    if (sessions[place].name.empty()) unnamed.push_back(place);
  }
  if (running.empty() && !of_clients.empty()) {
    if (is_change(command.action)) refuse_private(sessions, of_clients);
    running = of_clients;
  }
  if (command.action != options::Action::kResume) {
    prefer_unpaused(sessions, events, &running);
    prefer_unpaused(sessions, events, &unnamed);
  }
  if (running.size() == 1) return running[0];
  if (unnamed.size() == 1) return unnamed[0];
  if (!running.empty())
    throw Error(formatted("{} sessions are running: {}", running.size(), texts_of(sessions, running)),
                events.empty() ? "choose one by event=EVENT or session=NAME (-e EVENT, --session NAME)"
                               : "choose one by session=NAME (--session NAME)");
  if (meant.empty() || is_change(command.action)) refuse_none(sessions, command);
  return meant.back();
}

}  // namespace

std::vector<std::string> explicit_events(const options::Options& command) {
  if (command.raw.event == profile::kLiveEvent) return {profile::kAllocEvent};
  if (command.raw.event == profile::kNativeLiveEvent) return {profile::kNativeMemoryEvent};
  return options::names_events(command) ? options::event_names(command) : std::vector<std::string>();
}

bool is_private(const std::string& session_name) {
  return !session_name.empty() && session_name[0] == '.';
}

std::string describe_session(const SessionDescriptor& tag) {
  std::vector<std::string> more;
  if (!tag.paused.empty()) more.push_back(joined(tag.paused, " and ") + " paused");
  if (!tag.name.empty()) more.push_back("session=" + tag.name);
  std::string events = joined(tag.events, ", ");
  return more.empty() ? events : formatted("{} ({})", events, joined(more, ", "));
}

size_t resolve_session(const std::vector<SessionDescriptor>& sessions, const options::Options& command) {
  std::vector<std::string> events = explicit_events(command);
  size_t place = place_of(sessions, command, events);
  if (!command.session.empty()) check_events(sessions[place], events);
  return place;
}

}  // namespace hearth::commands
