#include "commands/command_runner.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "base/error.h"
#include "base/formatted.h"
#include "commands/command_replies.h"
#include "commands/java/thread_context.h"
#include "commands/without_jvm.h"
#include "events/alloc/first_allocations.h"
#include "options/event_table.h"

namespace hearth::commands {
namespace {

constexpr const char* kVersionText = "hearth " HEARTH_VERSION;

// Questions are answered while another command is at work.
bool only_asks(options::Action action) {
  constexpr options::Action kQuestions[] = {options::Action::kNone, options::Action::kStatus, options::Action::kMetrics,
                                            options::Action::kList, options::Action::kVersion};
  return std::find(std::begin(kQuestions), std::end(kQuestions), action) != std::end(kQuestions);
}

}  // namespace

CommandRunner::CommandRunner(AgentLocks* locks, JvmLifecycle* jvm, Log* log, SessionCommands* sessions,
                             StoreController* store, SessionReports* reports, OutputWriter* outputs,
                             HeapHolders* holders)
    : locks_(locks),
      jvm_(jvm),
      log_(log),
      sessions_(sessions),
      store_(store),
      reports_(reports),
      outputs_(outputs),
      holders_(holders) {}

Answer CommandRunner::execute(const options::Options& options, JNIEnv* env, bool sets_log) {
  if (options.action == options::Action::kStopHttp) return {control().stop()};
  if (options.action == options::Action::kDump && options.is_about_store)  // reads files, so it holds no lock
    return outputs_->write_profile(store_->range(options, env), options);
  if (options.action == options::Action::kHolders && env != nullptr)  // takes the locks for its beginning only
    return holders_->report(options, env);
  if (options.http.empty() || env == nullptr) return run(options, env, sets_log);
  std::optional<Control::Serving> serving = serve(options);
  try {
    Answer answer = run(options, env, sets_log);
    if (!serving) return answer;
    answer.text += (answer.text.empty() ? "" : "\n") + serving->text;
    answer.secret = serving->secret;
    return answer;
  } catch (...) {
    if (serving && serving->is_new) control().end();
    throw;
  }
}

// A JVM that starts is profiled even where the server cannot listen: nobody can repeat a start from the beginning.
std::optional<Control::Serving> CommandRunner::serve(const options::Options& options) {
  try {
    return control().serve(options);
  } catch (const Error& error) {
    if (!at_vm_start_ || options.action != options::Action::kStart) throw;
    log_->error(formatted("{}; the session goes on without the control server", error.what()));
    return std::nullopt;
  }
}

Answer CommandRunner::run(const options::Options& options, JNIEnv* env, bool sets_log) {
  AgentLocks::Lock command(locks_->commands(), std::defer_lock);
  if (!only_asks(options.action)) command.lock();
  Output output;
  {
    std::lock_guard<std::mutex> lock(locks_->state());
    if (sets_log && options.sets_log())
      log_->configure(options.log_level.value_or(kUsualLogLevel), options.log_file, options.quiet);
    if (jvm_->must_wait(env)) return before_vm_init(options);
    jvm_->complete(env);
    if (!jvm_->has_jvm()) refuse_what_needs_jvm(options);
    if (options.action == options::Action::kStart || options.action == options::Action::kResume) jvm_->refuse_at_end();
    bool makes_profile = options.action == options::Action::kDump ||
                         (options.action == options::Action::kStop && !options.is_about_store);
    if (!makes_profile) return dispatch(options, env);
    output = stop_or_dump(options, env);
  }
  return outputs_->write(output, &command, env);
}

ProfilePtr CommandRunner::profile(const options::Options& options, const std::function<void()>& before_model,
                                  JNIEnv* env) {
  Output output;
  {
    AgentLocks::Lock command(locks_->commands());
    std::lock_guard<std::mutex> lock(locks_->state());
    if (jvm_->must_wait(env)) throw Error("the JVM has not started yet", "ask again");
    jvm_->complete(env);
    output = stop_or_dump(options, env);
  }
  before_model();
  AgentLocks::Lock command(locks_->commands());
  {
    std::lock_guard<std::mutex> lock(locks_->state());
    jvm_->refuse_at_end();
  }
  return outputs_->profile(output, &command, env);
}

void CommandRunner::stop_session(const options::Options& options, JNIEnv* env) {
  AgentLocks::Lock command(locks_->commands());
  std::lock_guard<std::mutex> lock(locks_->state());
  jvm_->complete(env);
  sessions_->stop(options, env);
}

Output CommandRunner::stop_or_dump(const options::Options& options, JNIEnv* env) {
  return options.action == options::Action::kDump ? sessions_->dump(options, env) : sessions_->stop(options, env);
}

Answer CommandRunner::before_vm_init(const options::Options& options) {
  if (options.action == options::Action::kVersion) return {kVersionText};
  if (options.only_sets_log) {
    if (!options.quiet && !options.speaks_asprof)
      std::fprintf(stderr, "hearth is loaded; profile with: hearth -d 30 %d\n", getpid());
    return {};
  }
  if (options.action == options::Action::kNone && options.http.empty())
    throw Error("no action was given", "add start to profile from the beginning, or http=PORT");
  if (options.action != options::Action::kStart && options.http.empty())
    throw Error("the JVM has not started yet", "give start or http when loading the agent with it");
  std::optional<int64_t> bytes = options::interval_of(options, options::Event::kAlloc);
  if (bytes && !options.tlab && jvm_->entered()) events::set_first_interval(jvm_->vm().java_vm, *bytes);
  waiting_.push_back(options);
  return {};
}

Answer CommandRunner::start(const options::Options& options, JNIEnv* env) {
  // First: where it is refused, nothing runs.
  if (options.publish_context) publish_context(options, jvm_->vm().jvmti);
  Answer answer = options.is_about_store ? Answer{store_->start(options, env)} : sessions_->start(options, env);
  if (options.publish_context) jvm_->connect_labels(env);
  return answer;
}

Answer CommandRunner::dispatch(const options::Options& options, JNIEnv* env) {
  switch (options.action) {
    case options::Action::kStart:
      return start(options, env);
    case options::Action::kStop:
      return {store_->stop(env)};
    case options::Action::kPause:
      return sessions_->pause(options, env);
    case options::Action::kResume:
      return sessions_->resume(options, env);
    case options::Action::kStatus:
      return {reports_->status(options)};
    case options::Action::kMetrics:
      return {reports_->metrics({}), true};
    case options::Action::kList:
      return {event_list()};
    case options::Action::kVersion:
      return {kVersionText};
    case options::Action::kDump:
    case options::Action::kHolders:
    case options::Action::kStopHttp:
    case options::Action::kNone:
      break;
  }
  if (!options.http.empty()) return {};
  throw Error("no action was given", "add start, stop, pause, resume, dump, status, metrics, list or version");
}

bool CommandRunner::execute_and_reply(const std::string& text, JNIEnv* env) {
  try {
    return execute_and_reply(options::parse_options(text), env);
  } catch (const std::exception& error) {
    deliver_error(error.what(), options::reply_option(text), log_);
    return false;
  }
}

bool CommandRunner::execute_and_reply(const options::Options& options, JNIEnv* env) {
  try {
    deliver(execute(options, env, true), options.reply, log_);
    return true;
  } catch (const std::exception& error) {
    deliver_error(error.what(), options.reply, log_);
    return false;
  }
}

void CommandRunner::run_waiting(JNIEnv* env) {
  std::vector<options::Options> waiting;
  {
    std::lock_guard<std::mutex> lock(locks_->state());
    jvm_->complete(env);
    waiting.swap(waiting_);
  }
  at_vm_start_ = true;
  bool is_done = false;
  for (const options::Options& one : waiting) is_done = execute_and_reply(one, env) || is_done;
  at_vm_start_ = false;
  if (is_done) warn_of_lost_profiles();
}

void CommandRunner::warn_of_lost_profiles() {
  std::lock_guard<std::mutex> lock(locks_->state());
  for (const std::string& line : reports_->unkept_profiles()) log_->warn(line);
}

Control& CommandRunner::control() const {
  Control* control = control_;
  if (control == nullptr) throw Error("this agent was built without a control server", "use another build");
  return *control;
}

void CommandRunner::interrupt_control() {
  if (control_ != nullptr) control().interrupt();
}

void CommandRunner::end_control() {
  if (control_ != nullptr) control().end();
}

}  // namespace hearth::commands
