// The commands that talk to an agent: start, wait and stop, or one question and its answer.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace hearth::launcher {

enum class Action {
  kCollect,
  kStart,
  kStop,
  kPause,
  kResume,
  kDump,
  kStatus,
  kMetrics,
  kList,
  kVersion,
  kHttp,
  kStopHttp
};

// How long a JVM may take to reply: stopping a session with live objects collects garbage first.
inline constexpr std::chrono::milliseconds kAnswerPatience{300'000};

struct ProfileRequest {
  Action action = Action::kCollect;
  std::string target;                          // pid or a part of a name
  std::chrono::milliseconds duration{60'000};  // kCollect only
  std::string file;                            // as typed; empty: standard output
  std::string format;  // the agent's words for it: "collapsed", "traces,flat"; empty: that of the start, else text
  std::vector<std::string> capture;  // agent options that shape the recording: "event=cpu", "interval=1ms"
  std::string session;               // name of the new or the selected session; "": the agent chooses
  std::string event;                 // kStop, kPause, kResume, kDump: an event that it samples, or ""
  std::vector<std::string> server;   // kHttp: "http=7070", "token=/x/token"
  std::vector<std::string> output;   // agent options that shape the result: "title=x", "threads"
  std::chrono::milliseconds patience = kAnswerPatience;
  std::string libpath;
  bool verbose = false;
};

// The agent's options for `action` (kCollect is not one of its commands). `file` is absolute, or empty for none.
std::string agent_options(Action action, const ProfileRequest& request, const std::string& file);

// The agent's reply to the start of kCollect, with the requested duration in place of the agent's.
std::string collect_text(const std::string& started, std::chrono::milliseconds duration);

// The part of a reply to `status` about one session: the last ended one if `ended`, else the first.
std::string session_part(const std::string& status, bool ended);

// The lines of that part that belong to every profile: the sentence of its quality, if requested, and the notes.
std::string quality_account(const std::string& status, bool with_sentence);

// Executes the request; messages go to standard error, results to standard output or the file. Throws Error.
void run_profile_command(const ProfileRequest& given);

}  // namespace hearth::launcher
