// Which session a command means. Several run at one time, each with its own events, intervals, output and end:
// without a word those of different events, and where a start gives them names also of the same. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "session/options.h"

namespace hearth::session {

// Of a client that waits for its profile: nobody else's stop shall mean it. Told by the dot that its name begins with.
bool is_private(const std::string& session_name);

// A start that another session leaves no room.
class SessionInTheWay : public Error {
 public:
  // `number` is that session's; 0: nobody can stop it, it ends with its last window.
  SessionInTheWay(uint64_t number, const std::string& what, const std::string& remedy)
      : Error(what, remedy), number_(number) {}
  uint64_t number() const { return number_; }

 private:
  uint64_t number_;
};

// What sessions are told apart by.
struct SessionTag {
  uint64_t number = 0;
  std::string name;                 // "": none was given
  std::vector<std::string> events;  // as event_names()
  bool running = false;
  std::vector<std::string> paused{};  // of the events
};

// Those that a command says, and not what follows from silence; as event_names().
std::vector<std::string> said_events(const Options& command);

// "cpu, wall", with more to say "cpu, wall (wall paused, session=NAME)".
std::string tag_text(const SessionTag& tag);

// The place of the one that is meant: by session=, or by the events that are given, else the only one that runs; of
// several the one without a name; a private one only by session=, though a dump may be of it where no other runs. A
// dump may be of one that has ended, the last in the list where none runs. A resume means one that has paused what is
// said, or anything. Throws Error where there is none, or more than one, or the named one samples not what is said as
// well.
size_t chosen_session(const std::vector<SessionTag>& sessions, const Options& command);

}  // namespace hearth::session
