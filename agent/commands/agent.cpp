#include "commands/agent.h"

#include <chrono>
#include <utility>

#include "base/formatted.h"
#include "capture/labels/thread_labels.h"
#include "capture/labels/thread_spans.h"
#include "events/handlers/current_tid.h"
#include "events/vm/forced_collections.h"
#include "session/counting/living_threads.h"
#include "vm/thread_records.h"

namespace hearth::commands {
namespace {

// A native thread may detach and attach again, which makes it another Java thread: labels of the one before go.
void forget_labels() {
  *capture::label_cell() = capture::kNoLabels;
  *capture::span_cell() = {};
  vm::clear_thread_record();
}

}  // namespace

Agent& Agent::instance() {
  static Agent* agent = new Agent;
  return *agent;
}

Agent::Agent()
    : locks_(&jvm_.vm(), &log_),
      own_threads_(&table_),
      starter_(&jvm_, &log_, &table_, &own_threads_, [this](uint64_t number) { sessions_.end_on_timeout(number); }),
      outputs_(&table_),
      store_(&locks_, &jvm_, &log_, &table_, &own_threads_, &starter_),
      sessions_(&locks_, &jvm_, &log_, &table_, &starter_, &store_, &outputs_),
      reports_(&table_, &store_),
      windows_(&locks_, &jvm_, &table_, &starter_, &store_, &outputs_),
      holders_(&locks_, &jvm_, &table_),
      runner_(&locks_, &jvm_, &log_, &sessions_, &store_, &reports_, &outputs_, &holders_),
      asprof_(&jvm_, &log_, &table_, &runner_, &outputs_),
      native_(&locks_, &jvm_, &sessions_, [this](JNIEnv* env) { vm_dies(env); }) {}

void Agent::enter(JavaVM* java_vm, bool live) {
  std::lock_guard<std::mutex> lock(locks_.state());
  jvm_.enter(java_vm, live, [this](int tid, bool begins) { begins ? own_thread_begins(tid) : own_thread_ends(tid); });
}

Answer Agent::execute(const options::Options& options, JNIEnv* env, bool sets_log) {
  return runner_.execute(options, env, sets_log);
}

ProfilePtr Agent::profile(const options::Options& options, const std::function<void()>& before_model, JNIEnv* env) {
  return runner_.profile(options, before_model, env);
}

bool Agent::command(const std::string& text, JNIEnv* env) {
  return runner_.execute_and_reply(text, env);
}

std::vector<SessionFigures> Agent::figures() {
  std::lock_guard<std::mutex> lock(locks_.state());
  return reports_.figures();
}

std::optional<SessionFigures> Agent::figures_of(const options::Options& command) {
  std::lock_guard<std::mutex> lock(locks_.state());
  return reports_.figures_of(command);
}

std::string Agent::metrics(AgentFigures figures) {
  std::lock_guard<std::mutex> lock(locks_.state());
  return reports_.metrics(std::move(figures));
}

// Sessions end and are written, and nothing waits without a bound: a JVM that waits in VMDeath ignores SIGTERM.
void Agent::vm_dies(JNIEnv* env) {
  vm().ends = true;
  events::ForcedCollections::instance().end();  // a command that waits for a collection holds the lock
  runner_.interrupt_control();
  store_.end(env);
  sessions_.end_all(env);
  // Profiles that are being written become whole, but a pipe without a reader does not keep the JVM.
  constexpr std::chrono::seconds kMost(10);
  if (!outputs_.wait_for_all(kMost))
    log_.error(formatted("the JVM ends before a profile is written: that has taken longer than {} s", kMost.count()));
  runner_.end_control();
}

void Agent::thread_started(JNIEnv* env, jthread thread) {
  forget_labels();
  for (const auto& session : table_.all())
    session->thread_started(events::current_tid(), session::thread_name(vm().jvmti, env, thread));
}

void Agent::thread_ended(JNIEnv* env, jthread thread) {
  forget_labels();
  for (const auto& session : table_.all())
    session->thread_ended(events::current_tid(), session::thread_name(vm().jvmti, env, thread));
}

}  // namespace hearth::commands
