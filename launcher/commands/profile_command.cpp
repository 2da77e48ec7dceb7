#include "launcher/commands/profile_command.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "base/formatted.h"
#include "base/random.h"
#include "launcher/attach/agent_library.h"
#include "launcher/attach/agent_link.h"
#include "launcher/attach/jvm_list.h"
#include "launcher/commands/interrupts.h"
#include "launcher/commands/profiling_wait.h"
#include "launcher/text/output_file.h"
#include "options/option_text.h"
#include "profile/codec/utf8.h"

namespace hearth::launcher {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// The agent ends a session by itself this long after its planned end: the launcher was killed.
constexpr milliseconds kGrace{10'000};

const char* word_for(Action action) {
  switch (action) {
    case Action::kStart:
      return "start";
    case Action::kStop:
      return "stop";
    case Action::kPause:
      return "pause";
    case Action::kResume:
      return "resume";
    case Action::kDump:
      return "dump";
    case Action::kStatus:
      return "status";
    case Action::kMetrics:
      return "metrics";
    case Action::kList:
      return "list";
    case Action::kStopHttp:
      return "stop-http";
    default:
      return "version";
  }
}

void print_message(std::string text) {
  if (!text.empty() && text.back() != '\n') text += '\n';
  print(stderr, "{}", profile::shown_lines(text));
}

std::string seconds(milliseconds time) {
  return formatted("{:g} s", static_cast<double>(time.count()) / 1000);
}

[[noreturn]] void report_ended_jvm(const Jvm& jvm, const OutputFile& output, milliseconds passed,
                                   milliseconds duration) {
  std::string what = formatted("process {} ended after {} of {}", jvm.process.pid, seconds(std::min(passed, duration)),
                               seconds(duration));
  if (output.to_stdout())
    throw Error(what + ", and its profile with it", "with -f FILE the agent writes the profile even if the JVM ends");
  if (output.agent_path().empty())
    throw Error(what + ", and its profile with it",
                formatted("the agent cannot write it at the JVM's end: {}", output.why_not_by_agent()));
  if (output.path().find('%') != std::string::npos)
    throw Error(what, formatted("the agent writes the profile at the end: look for {}", output.path()));
  if (output.is_new()) throw Error(what, formatted("{} holds the profile until then", output.path()));
  throw Error(formatted("{} and did not write {}", what, output.path()), "it was killed or crashed: see its messages");
}

// The reply to one command. An interrupt ends the wait for it and leaves nothing behind in the JVM's /tmp.
std::string ask(const AgentLink& agent, const std::string& options) {
  Interrupts held_back;
  return agent.command(options);
}

// "--session NAME" or "-e EVENT" for before the pid, if the request has it.
std::string which(const ProfileRequest& request) {
  if (!request.session.empty()) return formatted("--session {} ", request.session);
  return request.event.empty() ? "" : formatted("-e {} ", request.event);
}

std::string dump_hint(const AgentLink& agent, const ProfileRequest& request) {
  return formatted("hearth dump {}-f FILE {} writes it elsewhere", which(request), agent.jvm().process.pid);
}

// Like Action::kStop; a profile that cannot be written is not lost.
AgentProfile stop(const AgentLink& agent, const ProfileRequest& request, Action action, const OutputFile& output) {
  std::string options = agent_options(action, request, output.agent_path());
  try {
    if (!output.agent_path().empty()) return {ask(agent, options), nullptr};
    Interrupts held_back;
    return agent.profile(options);
  } catch (const Error& error) {
    std::string what = error.what();
    if (what.compare(0, 7, "cannot ") != 0 || !is_alive(agent.jvm().process)) throw;
    throw Error(what, dump_hint(agent, request));
  }
}

// Prints the quality of a delivered profile to standard error: the sentence (which the reply about a file already has)
// and the notes.
void print_quality(const AgentLink& agent, const ProfileRequest& request, bool with_sentence) {
  try {
    std::string status = ask(agent, agent_options(Action::kStatus, request, ""));
    std::string account = quality_account(session_part(status, request.action != Action::kDump), with_sentence);
    if (!account.empty()) print_message(account);
  } catch (const Error&) {
    return;  // the JVM ended in between; the profile is written
  }
}

AgentProfile start_wait_stop(const AgentLink& agent, const ProfileRequest& request, const OutputFile& output) {
  Interrupts interrupts;
  Clock::time_point began = Clock::now();
  std::string started = agent.command(agent_options(Action::kStart, request, output.agent_path()));
  print_message(collect_text(started, request.duration));
  Waited waited = wait_while_profiling(agent.jvm(), request.duration, &interrupts);
  if (waited.end == End::kInterrupt)
    print_message(formatted("stopped after {} of {}", seconds(waited.passed), seconds(request.duration)));
  if (waited.end == End::kJvm) report_ended_jvm(agent.jvm(), output, waited.passed, request.duration);
  try {
    return stop(agent, request, Action::kStop, output);
  } catch (const Error&) {
    if (!is_alive(agent.jvm().process)) report_ended_jvm(agent.jvm(), output, waited.passed, request.duration);
    if (Clock::now() - began < request.duration + kGrace) throw;
  }
  // The launcher or the JVM was suspended, and the agent ended the session.
  return stop(agent, request, Action::kDump, output);
}

void deliver(const AgentProfile& answer, const AgentLink& agent, const ProfileRequest& request,
             const OutputFile& output) {
  if (!answer.next) {
    print_message(answer.message);
    return print_quality(agent, request, false);
  }
  try {
    output.write(answer.next);
    print_quality(agent, request, true);
  } catch (const Error& error) {
    throw Error(error.what(), dump_hint(agent, request));
  }
}

void start(const AgentLink& agent, const ProfileRequest& request, const OutputFile& output) {
  if (!output.to_stdout() && output.agent_path().empty())
    throw Error(
        formatted("process {} cannot write {}: {}", agent.jvm().process.pid, output.path(), output.why_not_by_agent()),
        "give -f to stop or dump instead: then hearth writes the file");
  print_message(ask(agent, agent_options(Action::kStart, request, output.agent_path())));
}

void refuse_binary_on_terminal(const ProfileRequest& request, const OutputFile& output) {
  bool gives_profile =
      request.action == Action::kCollect || request.action == Action::kStop || request.action == Action::kDump;
  if (gives_profile && output.to_stdout() && (request.format == "pprof" || request.format == "jfr") &&
      ::isatty(STDOUT_FILENO) == 1)
    throw Error(request.format + " is binary and standard output is a terminal",
                "name a file with -f or send it into a pipe");
}

std::string event_word(const std::string& events) {
  return "event=" + options::escaped_value(events);
}

}  // namespace

std::string agent_options(Action action, const ProfileRequest& request, const std::string& file) {
  if (action == Action::kHttp) return joined(request.server, ",");
  std::vector<std::string> words = {word_for(action)};
  bool pauses = action == Action::kPause || action == Action::kResume;
  bool is_about_one = action == Action::kStart || action == Action::kStop || action == Action::kDump;
  if ((is_about_one || pauses || action == Action::kStatus) && !request.session.empty())
    words.push_back("session=" + request.session);
  if (action == Action::kStatus && request.action == Action::kDump && !request.event.empty())
    words.push_back(event_word(request.event));
  bool gives_profile = action == Action::kStop || action == Action::kDump;
  if ((gives_profile || pauses) && !request.event.empty()) words.push_back(event_word(request.event));
  if (action == Action::kStart) words.insert(words.end(), request.capture.begin(), request.capture.end());
  if (action == Action::kStart && request.action == Action::kCollect)
    words.push_back(formatted("timeout={}ms", (request.duration + kGrace).count()));
  // A start with a file needs the format: the agent writes the file if the JVM ends before the stop.
  if (!file.empty()) words.push_back("file=" + file);
  if ((gives_profile || !file.empty()) && !request.format.empty()) words.push_back(request.format);
  if (gives_profile || action == Action::kStart)
    words.insert(words.end(), request.output.begin(), request.output.end());
  return joined(words, ",");
}

std::string collect_text(const std::string& started, milliseconds duration) {
  return formatted("{}, for {}", started.substr(0, started.rfind(", for ")), seconds(duration));
}

std::string session_part(const std::string& status, bool ended) {
  constexpr std::string_view kBegin = "Profiling is ", kStopped = "Profiling is stopped";
  std::string part;
  std::istringstream lines(status);
  bool is_wanted = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, kBegin.size(), kBegin) == 0) {
      is_wanted = part.empty() || (ended && line.compare(0, kStopped.size(), kStopped) == 0);
      if (is_wanted) part.clear();
    }
    if (is_wanted) part += line + "\n";
  }
  return part;
}

std::string quality_account(const std::string& status, bool with_sentence) {
  std::istringstream lines(status);
  std::string line;
  std::getline(lines, line);
  std::string account;
  size_t sentence = line.find(": ");
  if (with_sentence && sentence != std::string::npos) account = line.substr(sentence + 2) + "\n";
  while (std::getline(lines, line)) {
    size_t value = line.find(": ");
    if (line.compare(0, 7, "  Note ") == 0 && value != std::string::npos)
      account += formatted("note: {}\n", line.substr(value + 2));
  }
  return account;
}

void run_profile_command(const ProfileRequest& given) {
  ProfileRequest request = given;
  // A private name lets it run alongside other sessions of the same event and protects it from their stops. The pid
  // alone is not unique: each container has its own.
  if (request.action == Action::kCollect && request.session.empty())
    request.session = formatted(".hearth-{}-{:x}", ::getpid(), random_seed());
  Jvm jvm = require_jvm(resolve_target(request.target));
  OutputFile output(jvm, request.file);
  refuse_binary_on_terminal(request, output);
  AgentLink agent(jvm, place_agent_library(jvm, request.libpath, request.verbose), request.patience);
  switch (request.action) {
    case Action::kCollect:
      return deliver(start_wait_stop(agent, request, output), agent, request, output);
    case Action::kStop:
    case Action::kDump:
      return deliver(stop(agent, request, request.action, output), agent, request, output);
    case Action::kStart:
      return start(agent, request, output);
    case Action::kPause:
    case Action::kResume:
      return print_message(ask(agent, agent_options(request.action, request, "")));
    default:
      return write_stdout(profile::shown_lines(ask(agent, agent_options(request.action, request, ""))));
  }
}

}  // namespace hearth::launcher
