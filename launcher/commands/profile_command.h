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

// How long a JVM may take to answer: stopping a session with live objects collects garbage first.
inline constexpr std::chrono::milliseconds kAnswerPatience{300'000};

struct ProfileRequest {
  Action action = Action::kCollect;
  std::string target;                          // pid or a part of a name
  std::chrono::milliseconds duration{60'000};  // kCollect only
  std::string file;                            // as typed; empty: standard output
  std::string format;  // the agent's words for it: "collapsed", "traces,flat"; empty: what the start said, else text
  std::vector<std::string> capture;  // agent options that shape the recording: "event=cpu", "interval=1ms"
  std::string session;               // which one, or what it shall be called; "": the agent's to say
  std::string event;                 // kStop, kPause, kResume, kDump: one that it samples, ""
  std::vector<std::string> server;   // kHttp: "http=7070", "token=/x/token"
  std::vector<std::string> output;   // agent options that shape the result: "title=x", "threads"
  std::chrono::milliseconds patience = kAnswerPatience;
  std::string libpath;
  bool verbose = false;
};

// What the agent is told for `action` (kCollect is not one of its commands). `file` is absolute, or empty for none.
std::string agent_options(Action action, const ProfileRequest& request, const std::string& file);

// The agent's answer to the start of kCollect, with the time that was asked for in place of the agent's.
std::string collect_text(const std::string& started, std::chrono::milliseconds duration);

// Of the agent's answer to `status` what is about one session: the last that has ended where `ended`, else the first.
std::string session_part(const std::string& status, bool ended);

// Of that what belongs to every profile: the sentence of its quality, if asked for, and a
// line for each note.
std::string quality_account(const std::string& status, bool with_sentence);

// Does it; messages go to standard error, results to standard output or the file. Throws Error.
void run_profile_command(const ProfileRequest& request);

}  // namespace hearth::launcher
