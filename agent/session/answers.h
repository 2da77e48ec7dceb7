// What the agent says and writes to whoever gave a command. Thread safe; outside signals.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "profile/formats.h"
#include "session/options.h"
#include "session/profile_session.h"

namespace hearth::session {

// Writes to the launcher's file, which exists, is ours and is no link: a word on a line ("ok" before what was to be
// made, "said" before a message, "error"), then the text. Throws Error.
void reply_to(const std::string& path, std::string_view word, const std::string& text);

// What is to be written: the formats that were given, or told by the file's name.
std::vector<profile::Format> formats_of(const Options& options);
bool has_output(const Options& options);

std::string start_text(const ProfileSession& session);

// What an event is called, and what it is.
struct ListedEvent {
  const char* name;
  const char* about;
};
inline constexpr std::array kListedEvents = {
    ListedEvent{"cpu", "CPU time by perf_events, or by thread timers where those are refused"},
    ListedEvent{"cpu-clock", "CPU time by perf_events only"},
    ListedEvent{"ctimer", "CPU time by thread timers"},
    ListedEvent{"itimer", "CPU time by one process timer"},
    ListedEvent{"wall", "time of all threads, on a CPU or not"},
    ListedEvent{"alloc",
                "allocated objects, by class; with exact each of them, with live (JDK 11 or newer) what of them stays"},
    ListedEvent{"lock", "time of threads that wait for contended locks, by the lock's class"},
};

// They as text, for a person.
std::string event_list();

}  // namespace hearth::session
