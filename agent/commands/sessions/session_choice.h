// Which session a command means. Several run at one time, each with its own events, intervals, output and end: sessions
// of different events need no names, sessions of the same event do. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "options/options.h"

namespace hearth::commands {

// Whether the session belongs to a client that waits for its profile, so that no other stop affects it: its name begins
// with a dot.
bool is_private(const std::string& session_name);

// A start that conflicts with a running session.
class SessionConflict : public Error {
 public:
  // `number` is the running session's; 0: no command can stop it, it ends with its last window.
  SessionConflict(uint64_t number, const std::string& what, const std::string& remedy)
      : Error(what, remedy), number_(number) {}
  uint64_t number() const { return number_; }

 private:
  uint64_t number_;
};

// The properties by which a command identifies a session.
struct SessionDescriptor {
  uint64_t number = 0;
  std::string name;                 // "": none was given
  std::vector<std::string> events;  // as options::event_names()
  bool running = false;
  std::vector<std::string> paused{};  // of the events
};

// The events that a command names, without defaults; as options::event_names().
std::vector<std::string> explicit_events(const options::Options& command);

// "cpu, wall" or, paused and named, "cpu, wall (wall paused, session=NAME)".
std::string describe_session(const SessionDescriptor& tag);

// Returns the index of the session that a command means:
//   - the session that session= names or numbers; it must sample the events that the command names;
//   - else the only running session that samples these events; of several the only unnamed one;
//   - a private session only by session=, except that a dump takes it when no other session runs;
//   - for a dump, when none runs, the last session in the list that sampled these events;
//   - for a resume, the only session that has paused these events, or any event where none is named.
// Throws Error where no session matches, or several do.
size_t resolve_session(const std::vector<SessionDescriptor>& sessions, const options::Options& command);

}  // namespace hearth::commands
