#include "commands/asprof_commands.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "base/error.h"
#include "base/formatted.h"
#include "capture/recorder.h"
#include "commands/command_replies.h"
#include "events/handlers/current_tid.h"
#include "options/event_table.h"
#include "profile/codec/utf8.h"
#include "profile/model/event_view.h"
#include "profile/model/merged_profile.h"
#include "session/counting/living_threads.h"

namespace hearth::commands {
namespace {

using options::AsprofAction;
using options::AsprofCommand;

// JMH refuses versions that begin with 1.
constexpr const char* kVersion = "4.5 (hearth " HEARTH_VERSION ")";

int64_t seconds_of(const session::ProfileSession& session) {
  constexpr int64_t kSecond = 1'000'000'000;
  return session.duration_ns() / kSecond;
}

std::string list_text() {
  std::string basic = "Basic events:\n", counters = "Perf events:\n";
  for (const ListedEvent& event : listed_events()) {
    if (event.name == profile::kCallsEvent || event.name == profile::kTraceEvent) continue;
    bool is_counter = event.name == "page-faults" || event.name == "context-switches" || event.name == "cpu-clock";
    (is_counter ? counters : basic) += formatted("  {}\n", event.name);
  }
  for (const ListedEvent& event : listed_counters()) counters += formatted("  {}\n", event.name);
  return basic + counters + "Java method calls:\n  ClassName.methodName\n";
}

options::Options with_action(options::Options options, options::Action action) {
  options.action = action;
  return options;
}

}  // namespace

SessionTable::SessionPtr AsprofCommands::session() const {
  std::vector<UserSession> all = table_->user_sessions();
  auto found = std::find_if(all.rbegin(), all.rend(), [](const UserSession& one) {
    return one.session->options().session == options::kAsprofSession;
  });
  return found == all.rend() ? nullptr : found->session;
}

bool AsprofCommands::is_running() const {
  SessionPtr last = session();
  return last && last->running();
}

void AsprofCommands::require_session() const {
  if (!session()) throw Error("Profiler has not started");
}

void AsprofCommands::log_ignored(const AsprofCommand& command) {
  for (const std::string& line : command.ignored) log_->debug(line);
}

Answer AsprofCommands::execute(const AsprofCommand& command, JNIEnv* env) {
  std::lock_guard<std::mutex> lock(mutex_);
  Answer answer = dispatch(command, env);
  log_ignored(command);
  return answer;
}

Answer AsprofCommands::dispatch(const AsprofCommand& command, JNIEnv* env) {
  switch (command.action) {
    case AsprofAction::kStart:
    case AsprofAction::kResume:
      return start(command, env);
    case AsprofAction::kStop:
      return stop(command, env);
    case AsprofAction::kDump:
      return dump(command, env);
    case AsprofAction::kStatus:
      return {is_running() ? formatted("Profiling is running for {} seconds\n", seconds_of(*session()))
                           : "Profiler is not active\n",
              true};
    case AsprofAction::kMetrics:
      return runner_->execute(command.options, env, true);
    case AsprofAction::kList:
      return {list_text(), true};
    case AsprofAction::kVersion:
      return {kVersion, true};
    case AsprofAction::kNone:
      break;
  }
  bool has_work = !command.options.http.empty() || command.options.sets_log();
  return has_work ? runner_->execute(command.options, env, true) : Answer();
}

Answer AsprofCommands::start(const AsprofCommand& command, JNIEnv* env) {
  if (is_running()) throw Error("Profiler already started");
  SessionPtr before = session();
  bool goes_on = command.action == AsprofAction::kResume && before;
  ProfilePtr earlier;
  if (goes_on) earlier = whole_profile(options::parse_asprof_command("dump,collapsed").options, env);
  options::Options options = command.options;
  options.announces = !command.is_quiet;
  Answer answer = runner_->execute(options, env, true);
  earlier_ = earlier;
  if (before && table_->has_user(*before)) table_->drop_user(*before);  // else one that shared an event was dropped
  return answer;
}

Answer AsprofCommands::stop(const AsprofCommand& command, JNIEnv* env) {
  if (!is_running()) {
    if (!command.has_output) throw Error("Profiler is not active");
    return dump(command, env);
  }
  if (command.has_output && !earlier_) return runner_->execute(command.options, env, true);
  SessionPtr running = session();
  runner_->stop_session(command.options, env);
  if (command.has_output) return dump(command, env);
  if (command.is_quiet) return {};
  return {formatted("Profiling stopped after {} seconds. No dump options specified\n", seconds_of(*running)), true};
}

Answer AsprofCommands::dump(const AsprofCommand& command, JNIEnv* env) {
  require_session();
  if (!command.has_output) throw Error("No output format selected");
  options::Options options = with_action(command.options, options::Action::kDump);
  if (!earlier_) return runner_->execute(options, env, true);
  return outputs_->write_profile(*whole_profile(options, env), options);
}

// Of the session and those that it went on with. `output`: of a dump.
ProfilePtr AsprofCommands::whole_profile(options::Options output, JNIEnv* env) {
  output.file.clear();
  ProfilePtr last = runner_->profile(
      output, [] {}, env);
  if (!earlier_) return last;
  profile::MergedProfile merged;
  merged.add(*earlier_);
  merged.add(*last);
  return std::make_shared<const profile::Profile>(merged.take());
}

bool AsprofCommands::execute_and_reply(const std::string& text, JNIEnv* env) {
  std::string reply = options::reply_option(text);
  // As async-profiler: standard error is the program's. The launcher has the messages by its reply.
  if (reply.empty()) log_->prefer_standard_output();
  try {
    deliver(execute(options::parse_asprof_command(text), env), reply, log_);
    return true;
  } catch (const std::exception& error) {
    deliver_error(error.what(), reply, log_);
    return false;
  }
}

int64_t AsprofCommands::samples() const {
  SessionPtr last = session();
  return last ? static_cast<int64_t>(last->capture().recorder.counters().samples) : 0;
}

void AsprofCommands::choose_thread(JNIEnv* env, jthread thread, bool is_wanted) {
  SessionPtr last = session();
  if (!last || !last->running()) return;
  const vm::Vm& vm = jvm_->vm();
  int tid = thread == nullptr ? events::current_tid() : session::tid_of_thread(vm, env, thread);
  const options::ThreadFilter& filter = last->options().filter;
  bool is_changed = tid != 0 && (is_wanted ? filter.add_thread(tid) : filter.remove_thread(tid));
  if (is_changed) last->name_thread(tid, session::thread_name(vm.jvmti, env, thread));
}

void AsprofCommands::record_span(int64_t start_ns, int64_t end_ns, const std::string& tag) {
  constexpr size_t kMostTag = 1024;
  std::string cut(profile::cut_text(tag, kMostTag));
  for (const SessionPtr& one : table_->running())
    if (one->stream() != nullptr) one->stream()->add_span({events::current_tid(), start_ns, end_ns, cut});
}

void AsprofCommands::record_event(const std::string& type, const std::string& content) {
  for (const SessionPtr& one : table_->running()) {
    if (one->stream() == nullptr) continue;
    one->stream()->add_event({events::current_tid(), static_cast<int64_t>(capture::now_ns()), type, content});
  }
}

}  // namespace hearth::commands
