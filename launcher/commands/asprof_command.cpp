#include "launcher/commands/asprof_command.h"

#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "base/formatted.h"
#include "launcher/attach/agent_library.h"
#include "launcher/attach/agent_link.h"
#include "launcher/attach/hotspot_attach.h"
#include "launcher/attach/jvm_list.h"
#include "launcher/commands/interrupts.h"
#include "launcher/commands/profile_command.h"
#include "launcher/commands/profiling_wait.h"
#include "launcher/text/output_file.h"
#include "options/asprof/asprof_command.h"
#include "profile/codec/utf8.h"

namespace hearth::launcher {
namespace {

using std::chrono::milliseconds;

// The JVM that began last, as asprof's users mean it.
pid_t newest_jvm() {
  std::vector<Jvm> jvms = find_jvms();
  auto newest = std::max_element(jvms.begin(), jvms.end(), [](const Jvm& one, const Jvm& other) {
    return one.process.start_time < other.process.start_time;
  });
  if (newest == jvms.end()) throw Error("no JVM is running here");
  return newest->process.pid;
}

Jvm jvm_of(const std::string& target) {
  return require_jvm(target == "jps" ? newest_jvm() : resolve_target(target));
}

bool makes_profile(const std::string& action) {
  return action == "stop" || action == "dump";
}

void say(std::string_view text) {
  if (!text.empty()) print(stderr, "{}{}", profile::shown_lines(text), text.back() == '\n' ? "" : "\n");
}

void deliver(const AgentProfile& profile, const OutputFile& output) {
  profile.next ? output.write(profile.next) : say(profile.message);
}

void stop_or_dump(const AgentLink& agent, const std::string& action, const AsprofRequest& request,
                  const OutputFile& output) {
  Interrupts held_back;
  deliver(agent.profile(asprof_options(action, request, output.agent_path())), output);
}

void collect(const AgentLink& agent, const AsprofRequest& request, const OutputFile& output) {
  Interrupts interrupts;
  agent.command(asprof_options("start,quiet", request, output.agent_path()));
  say(formatted("Profiling for {} seconds", request.duration.count() / 1000));
  Waited waited = wait_while_profiling(agent.jvm(), request.duration, &interrupts);
  if (waited.end == End::kJvm) {
    if (output.agent_path().empty())
      throw Error("Process exited, and its profile with it",
                  "with -f FILE the agent writes the profile even if the JVM ends");
    return say("Process exited");
  }
  say(waited.end == End::kTime ? "Done" : "Interrupted");
  deliver(agent.profile(asprof_options("stop", request, output.agent_path())), output);
}

void answer(const AgentLink& agent, const AsprofRequest& request, const OutputFile& output) {
  bool starts = request.action == "start" || request.action == "resume";
  if (starts && !output.to_stdout() && output.agent_path().empty())
    throw Error(
        formatted("process {} cannot write {}: {}", agent.jvm().process.pid, output.path(), output.why_not_by_agent()),
        "give -f to stop or dump instead");
  std::string text = agent.command(asprof_options(request.action, request, output.agent_path()));
  starts ? say(text) : write_stdout(profile::shown_lines(text));
}

}  // namespace

std::string asprof_options(const std::string& action, const AsprofRequest& request, const std::string& file) {
  bool starts = action.compare(0, 5, "start") == 0 || action == "resume";
  std::vector<std::string> words = {action};
  if (!file.empty() && (starts || makes_profile(action))) words.push_back("file=" + file);
  if (starts) words.insert(words.end(), request.capture.begin(), request.capture.end());
  // Also a start may need the format: the agent writes the file if the JVM ends before the stop.
  bool needs_format = makes_profile(action) || (starts && !file.empty());
  if (needs_format && !request.output.empty()) words.push_back(request.output);
  if (makes_profile(action) && request.output.empty() && file.empty()) words.emplace_back("text");
  words.insert(words.end(), request.style.begin(), request.style.end());
  return std::string(options::kAsprofMark) + joined(words, ",");
}

void run_asprof_command(const AsprofRequest& request) {
  Jvm jvm = jvm_of(request.target);
  OutputFile output(jvm, request.file);
  AgentLink agent(jvm, place_agent_library(jvm, request.libpath, false), kAnswerPatience);
  if (request.action == "collect") return collect(agent, request, output);
  if (makes_profile(request.action)) return stop_or_dump(agent, request.action, request, output);
  answer(agent, request, output);
}

void run_jvm_command(const JvmCommandRequest& request) {
  write_stdout(profile::shown_lines(attach_command(jvm_of(request.target), request.words, kAnswerPatience)));
}

}  // namespace hearth::launcher
