// Commands about one event of a session that runs: it pauses, and goes on, while others are sampled all the time.
#include <algorithm>

#include "base/error.h"
#include "base/formatted.h"
#include "session/agent.h"
#include "session/sampled_events.h"

namespace hearth::session {
namespace {

// Only what is said, and where nothing is what there is to do.
std::vector<std::string> events_to(const Options& command, const std::vector<std::string>& all) {
  std::vector<std::string> said = said_events(command);
  return said.empty() ? all : said;
}

}  // namespace

Agent::Answer Agent::pause(const Options& options, JNIEnv* env) {
  ProfileSession& session = *commanded_[chosen(options)].session;
  std::vector<std::string> events = events_to(options, event_names(session.sampled()));
  std::vector<std::string> there = session.paused(), paused;
  auto is_paused = [&](const std::string& event) {
    return std::find(there.begin(), there.end(), event) != there.end();
  };
  if (std::all_of(events.begin(), events.end(), is_paused))
    throw Error(formatted("session {} has paused {} already", session.number(), joined(there, " and ")),
                "resume goes on with it");
  {
    RoomInStore room(always_on_.get(), env);
    for (const std::string& event : events)
      if (session.pause(event)) paused.push_back(event);
  }
  session_changes_++;
  return {formatted("Paused {}; session {}: {}", joined(paused, " and "), session.number(), tag_text(tag_of(session)))};
}

// As for a start of these events alone.
void Agent::check_room_for(const ProfileSession& session, const Options& events) const {
  for (const Commanded& one : commanded_) {
    if (one.session.get() == &session || !one.session->running()) continue;
    if (contended_event(one.session->sampled(), events) != nullptr) refuse_beside(*one.session, events);
  }
  check_beside(events);
}

Agent::Answer Agent::resume(const Options& options, JNIEnv* env) {
  std::shared_ptr<ProfileSession> session = commanded_[chosen(options)].session;
  std::vector<std::string> events = events_to(options, session->paused());
  std::vector<std::string> there = session->paused();
  auto is_paused = [&](const std::string& event) {
    return std::find(there.begin(), there.end(), event) != there.end();
  };
  if (std::none_of(events.begin(), events.end(), is_paused))
    throw Error(formatted("session {} has not paused {}", session->number(),
                          events.empty() ? "anything" : joined(events, " and ")),
                "status tells what is");
  Options wanted = session->options();
  for (const std::string& event : event_names(session->options()))
    if (std::find(events.begin(), events.end(), event) == events.end()) wanted = without_event(wanted, event);
  std::vector<std::string> resumed;
  {
    check_room_for(*session, wanted);
    RoomInStore room(always_on_.get(), wanted, env);
    if (always_on_) always_on_->expect_from(session, wanted);
    auto resume_all = [&] {
      for (const std::string& event : events)
        if (session->resume(event)) resumed.push_back(event);
      return session;
    };
    try {
      with_a_signal(env, resume_all);
    } catch (...) {
      for (const std::string& event : resumed) session->pause(event);
      throw;
    }
    name_living_threads(session.get(), env);
  }
  session_changes_++;
  return {
      formatted("Resumed {}; session {}: {}", joined(resumed, " and "), session->number(), tag_text(tag_of(*session)))};
}

}  // namespace hearth::session
