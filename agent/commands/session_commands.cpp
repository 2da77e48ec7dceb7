#include "commands/session_commands.h"

#include <algorithm>

#include "always_on/rebalance_guard.h"
#include "base/clocks.h"
#include "base/error.h"
#include "base/formatted.h"
#include "base/jvm_refs.h"
#include "commands/command_replies.h"
#include "options/sampled_events.h"

namespace hearth::commands {
namespace {

using session::ProfileSession;

// The output of a stop or dump; where the command names none, that of the session's start.
options::Options output_of(const ProfileSession& session, const options::Options& options) {
  options::Options output = options.has_output_option ? options : session.options();
  output.native_roots = session.options().native_roots;
  output.java_depth = session.options().java_depth;
  output.java_kept = session.options().java_kept;
  output.record_cpu = session.options().record_cpu;
  output.compilations = session.options().compilations;
  // async-profiler decides at the start whether threads are apart.
  if (options.speaks_asprof) output.threads = output.threads || session.options().threads;
  if (!options.write.event.empty()) output.write.event = options.write.event;
  return output;
}

// The events that a command names, else all.
std::vector<std::string> events_to(const options::Options& command, const std::vector<std::string>& all) {
  std::vector<std::string> named = explicit_events(command);
  return named.empty() ? all : named;
}

auto is_one_of(const std::vector<std::string>& events) {
  return [&events](const std::string& event) { return std::find(events.begin(), events.end(), event) != events.end(); };
}

Answer changed(const char* change, const std::vector<std::string>& events, const ProfileSession& session) {
  return {formatted("{} {}; session {}: {}", change, joined(events, " and "), session.number(),
                    describe_session(descriptor_of(session)))};
}

// What goes into a recording would be lost without a word.
void refuse_what_needs_recording(const options::Options& options) {
  const char* option = options.jfr_sync               ? "jfrsync"
                       : options.processes_ns > 0     ? "proc"
                       : !options.rate_limits.empty() ? "ratelimit"
                       : options.clock                ? "clock"
                                                      : nullptr;
  if (option != nullptr)
    throw Error(formatted("option {}: it is for a JFR recording, and none is written", option),
                "give jfr and a file from the start, as in jfr,file=x.jfr");
}

// Of the processor's counter, which the recording's times are in; 0: they are of CLOCK_MONOTONIC.
int64_t counter_of(const options::Options& options, const JvmRecording* of_jvm) {
  constexpr int64_t kNanoseconds = 1'000'000'000;  // the JVM's where it does not use the counter
  int64_t of_jvm_rate =
      of_jvm != nullptr && of_jvm->ticks_per_second() != kNanoseconds ? of_jvm->ticks_per_second() : 0;
  if (!options.clock) return of_jvm_rate;
  if (*options.clock == options::RecordingClock::kMonotonic) return 0;
  int64_t rate = of_jvm_rate != 0 ? of_jvm_rate : cycles_per_second();
  if (rate == 0) throw Error("option clock: this processor has no counter of one rate", "use clock=monotonic");
  return rate;
}

// Facts that a recording of the JVM by these settings has.
uint32_t omitted_beside(const std::string& settings) {
  using options::JfrOmission;
  bool has_all = settings == "default" || settings == "profile";
  return has_all
             ? JfrOmission::kNoSystem | JfrOmission::kNoProperties | JfrOmission::kNoLibraries | JfrOmission::kNoCpuLoad
             : 0;
}

options::Options with_events_only(const options::Options& options, const std::vector<std::string>& events) {
  options::Options wanted = options;
  auto is_wanted = is_one_of(events);
  for (const std::string& event : options::event_names(options))
    if (!is_wanted(event)) wanted = options::without_event(wanted, event);
  return wanted;
}

}  // namespace

SessionCommands::SessionCommands(AgentLocks* locks, JvmLifecycle* jvm, Log* log, SessionTable* table,
                                 SessionStarter* starter, StoreController* store, OutputWriter* outputs)
    : locks_(locks),
      jvm_(jvm),
      log_(log),
      table_(table),
      starter_(starter),
      store_(store),
      outputs_(outputs),
      conflicts_(table, outputs) {}

Answer SessionCommands::start(const options::Options& options, JNIEnv* env) {
  conflicts_.check_start(options);
  std::string recording = outputs_->recording_of(options);
  if (recording.empty()) refuse_what_needs_recording(options);
  jvm_->prepare_sampling(env);
  always_on::StoreRebalanceGuard guard(store_->running(), options, env);
  SessionTable::SessionPtr session = begin(options, recording, env);
  if (session->stream() != nullptr) outputs_->count_recording(options);
  table_->drop_replaced(*session);
  jvm_->recordings().set_state(env, state_of_recordings());
  if (options.speaks_asprof)
    return {options.announces ? "Profiling started\n" : "", options.announces, session->number()};
  return {start_text(*session), false, session->number()};
}

// The JVM's recording first: it takes long to begin the first one of a JVM.
SessionTable::SessionPtr SessionCommands::begin(const options::Options& options, const std::string& recording,
                                                JNIEnv* env) {
  options::Options wanted = options;
  std::unique_ptr<JvmRecording> of_jvm;
  if (options.jfr_sync) of_jvm = std::make_unique<JvmRecording>(env, options, recording);
  SessionTable::SessionPtr session;
  try {
    wanted.counter_per_second = counter_of(options, of_jvm.get());
    if (of_jvm) wanted.jfr_omits |= omitted_beside(*options.jfr_sync);
    store_->with_free_signal(env, [&] { session = starter_->start_user(wanted, recording, env); });
  } catch (...) {
    if (of_jvm) of_jvm->drop(env);
    throw;
  }
  if (of_jvm) jvm_recordings_.emplace(session->number(), std::move(of_jvm));
  return session;
}

void SessionCommands::end_jvm_recording(const ProfileSession& session, JNIEnv* env) {
  auto found = jvm_recordings_.find(session.number());
  if (found == jvm_recordings_.end()) return;
  std::unique_ptr<JvmRecording> of_jvm = std::move(found->second);
  jvm_recordings_.erase(found);
  try {
    if (session.stream()->trouble().empty())
      of_jvm->end_into(env, session.stream()->path());
    else
      of_jvm->drop(env);
  } catch (const std::exception& error) {
    log_->error(error.what());
  }
}

Output SessionCommands::stop(const options::Options& options, JNIEnv* env) {
  SessionTable::SessionPtr session = table_->resolve(options).session;
  options::Options output = output_of(*session, options);
  conflicts_.check_file(output.file, session.get());
  starter_->name_living_threads(session.get(), env);
  stop_session(session.get(), env);
  const std::string& promised = session->options().file;
  if (session->stream() == nullptr && options.has_output_option && promised != options.file)
    table_->set_unwritten(*session, promised);
  return {session, output, true};
}

JavaRecordings::State SessionCommands::state_of_recordings() const {
  std::vector<SessionTable::SessionPtr> running = table_->running();
  bool is_recording = std::any_of(running.begin(), running.end(), [](auto& one) { return one->stream() != nullptr; });
  return is_recording ? JavaRecordings::kRunning : JavaRecordings::kStopped;
}

void SessionCommands::stop_session(ProfileSession* session, JNIEnv* env) {
  {
    always_on::StoreRebalanceGuard guard(store_->running(), env);
    session->stop();
  }
  end_jvm_recording(*session, env);
  table_->mark_ended(*session);
  jvm_->recordings().set_state(env, state_of_recordings());
  starter_->stop_listening_when_idle();
}

Output SessionCommands::dump(const options::Options& options, JNIEnv* env) {
  SessionTable::SessionPtr session = table_->resolve(options).session;
  options::Options output = output_of(*session, options);
  conflicts_.check_file(output.file, session.get());
  if (session->running()) starter_->name_living_threads(session.get(), env);
  return {session, output};
}

Answer SessionCommands::pause(const options::Options& options, JNIEnv* env) {
  SessionTable::SessionPtr session = table_->resolve(options).session;
  std::vector<std::string> events = events_to(options, options::event_names(session->sampled()));
  std::vector<std::string> before = session->paused(), paused;
  if (std::all_of(events.begin(), events.end(), is_one_of(before)))
    throw Error(formatted("session {} has paused {} already", session->number(), joined(before, " and ")),
                "resume continues it");
  {
    always_on::StoreRebalanceGuard guard(store_->running(), env);
    for (const std::string& event : events)
      if (session->pause(event)) paused.push_back(event);
  }
  table_->count_change();
  return changed("Paused", paused, *session);
}

Answer SessionCommands::resume(const options::Options& options, JNIEnv* env) {
  SessionTable::SessionPtr session = table_->resolve(options).session;
  std::vector<std::string> before = session->paused(), resumed;
  std::vector<std::string> events = events_to(options, before);
  if (std::none_of(events.begin(), events.end(), is_one_of(before)))
    throw Error(formatted("session {} has not paused {}", session->number(),
                          events.empty() ? "anything" : joined(events, " and ")),
                "status lists the paused events");
  options::Options wanted = with_events_only(session->options(), events);
  {
    conflicts_.check_resume(*session, wanted);
    always_on::StoreRebalanceGuard guard(store_->running(), wanted, env);
    if (store_->running() != nullptr) store_->running()->sources().adopt_resumed(session, wanted);
    resume_events(session.get(), events, &resumed, env);
    starter_->name_living_threads(session.get(), env);
  }
  table_->count_change();
  return changed("Resumed", resumed, *session);
}

// All of them, or none.
void SessionCommands::resume_events(ProfileSession* session, const std::vector<std::string>& events,
                                    std::vector<std::string>* resumed, JNIEnv* env) {
  try {
    store_->with_free_signal(env, [&] {
      for (const std::string& event : events)
        if (session->resume(event)) resumed->push_back(event);
    });
  } catch (...) {
    for (const std::string& event : *resumed) session->pause(event);
    throw;
  }
}

void SessionCommands::end_on_timeout(uint64_t number) {
  JvmAttachment attachment(jvm_->vm().java_vm, "hearth");
  if (jvm_->has_jvm() && attachment.env() == nullptr) return;
  SessionTable::SessionPtr session = table_->running_user(number);
  if (end(number, attachment.env()) && session) start_next_round(session->options(), attachment.env());
}

void SessionCommands::start_next_round(options::Options options, JNIEnv* env) {
  if (options.loop_ns == 0 || (options.timeout_ns > 0 && options.timeout_ns <= options.loop_ns)) return;
  if (options.timeout_ns > 0) options.timeout_ns -= options.loop_ns;
  try {
    AgentLocks::Lock command(locks_->commands());
    std::lock_guard<std::mutex> lock(locks_->state());
    if (!jvm_->vm().ends) start(options, env);
  } catch (const std::exception& error) {
    log_->error(error.what());
  }
}

void SessionCommands::end_all(JNIEnv* env) {
  std::vector<uint64_t> numbers;
  if (AgentLocks::Lock lock = locks_->lock_to_end(&locks_->state()))
    for (const UserSession& one : table_->user_sessions()) numbers.push_back(one.session->number());
  for (uint64_t number : numbers) end(number, env);
}

std::function<void()> SessionCommands::leave_for_exec(JNIEnv* env) {
  std::vector<std::pair<SessionTable::SessionPtr, std::string>> paused;
  std::vector<SessionTable::SessionPtr> running = table_->running();
  {
    AgentLocks::Lock command(locks_->commands());
    std::lock_guard<std::mutex> lock(locks_->state());
    for (const SessionTable::SessionPtr& session : running)
      for (const std::string& event : options::event_names(session->sampled()))
        if (session->pause(event)) paused.emplace_back(session, event);
  }
  for (const SessionTable::SessionPtr& session : running)
    if (has_output(session->options())) write_as_started(session, env);
  return [this, paused] {
    std::lock_guard<std::mutex> lock(locks_->state());
    for (const auto& [session, event] : paused) try {
        session->resume(event);
      } catch (const std::exception& error) {
        log_->error(error.what());
      }
  };
}

void SessionCommands::write_as_started(const SessionTable::SessionPtr& session, JNIEnv* env) {
  try {
    AgentLocks::Lock command(locks_->commands());
    show_answer(outputs_->write({session, session->options()}, &command, env), log_);
  } catch (const std::exception& error) {
    log_->error(error.what());
  }
}

// As a stop without options, except that nobody asked for it: the log stays as the session configured it, and without
// an output the profile stays in the session. The session may have been stopped before this thread runs.
bool SessionCommands::end(uint64_t number, JNIEnv* env) {
  bool has_stopped = false;
  try {
    AgentLocks::Lock command = locks_->lock_to_end(&locks_->commands());
    if (!command) return false;
    Output output;
    {
      AgentLocks::Lock lock = locks_->lock_to_end(&locks_->state());
      if (!lock) return false;
      SessionTable::SessionPtr session = table_->running_user(number);
      if (!session) return false;
      output = {session, session->options()};
      starter_->name_living_threads(session.get(), env);
      stop_session(session.get(), env);
      has_stopped = true;
    }
    if (has_output(output.options)) show_answer(outputs_->write(output, &command, env), log_);
  } catch (const std::exception& error) {
    log_->error(error.what());
  }
  return has_stopped;
}

}  // namespace hearth::commands
