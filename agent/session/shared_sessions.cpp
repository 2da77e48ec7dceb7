// What is of all sessions: those that several clients look at, each through a window of its own, and those that run
// beside another for it.
#include <algorithm>

#include "base/error.h"
#include "base/formatted.h"
#include "events/handlers/current_tid.h"
#include "profile/event_view.h"
#include "session/agent.h"
#include "session/always_on.h"
#include "session/sampled_events.h"
#include "session/session_choice.h"

namespace hearth::session {
namespace {

void check_fits_beside(const Options& wanted, const ProfileSession& session) {
  Options there = session.sampled();
  std::string runs = formatted("a session is running ({})", session.events());
  if (has_breakpoints(there))
    throw SessionInTheWay(session.number(), formatted("{}, and outside its begin and end nothing is sampled", runs),
                          "stop it first");
  const char* common = contended_event(there, wanted);
  if (common == nullptr) return;
  if (!samples_all(there))
    throw SessionInTheWay(session.number(), formatted("{}, and it samples only some threads", runs), "stop it first");
  const char* missing = missing_event(there, wanted);
  if (missing == nullptr || std::string_view(missing) != profile::kLiveEvent)
    throw SessionInTheWay(session.number(), formatted("{}; {}", runs, no_room_beside(common)), "stop it first");
  throw SessionInTheWay(session.number(), formatted("{}, and it does not sample {}", runs, missing),
                        "stop it and start it with live, too; allocs tells what is allocated");
}

}  // namespace

std::vector<std::shared_ptr<ProfileSession>> Agent::all_sessions() {
  std::lock_guard<std::mutex> lock(session_pointer_mutex_);
  std::vector<std::shared_ptr<ProfileSession>> all = beside_;
  for (const Commanded& one : commanded_) all.push_back(one.session);
  return all;
}

// Under one of the agent's locks.
std::vector<std::shared_ptr<ProfileSession>> Agent::sessions_that_run() const {
  std::vector<std::shared_ptr<ProfileSession>> running;
  for (const auto& session : beside_)
    if (session->running()) running.push_back(session);
  for (const Commanded& one : commanded_)
    if (one.session->running()) running.push_back(one.session);
  return running;
}

std::string Agent::metrics(AgentFigures figures) {
  std::lock_guard<std::mutex> lock(mutex_);
  return metrics_with(std::move(figures));
}

std::string Agent::metrics_with(AgentFigures figures) {
  for (const auto& session : all_sessions()) {
    for (const auto& [part, bytes] : session->memory()) figures.memory_bytes[part] += bytes;
  }
  figures.shared_sessions = static_cast<int64_t>(shared_.size());
  if (always_on_) figures.always_on = always_on_->figures();
  std::vector<SessionFigures> sessions;
  for (const Commanded* one : in_order()) sessions.push_back(figures_with(*one->session, one->session->full_quality()));
  return metrics_text(sessions, figures);
}

void Agent::own_thread_begins(int tid) {
  if (tid == events::current_tid()) events::mark_own_thread(true);
  std::lock_guard<std::mutex> lock(session_pointer_mutex_);
  own_threads_.insert(tid);
  for (const auto& session : sessions_that_run()) session->exclude(tid);
}

// Those that began while the session did.
void Agent::exclude_own_threads(ProfileSession* session) {
  std::lock_guard<std::mutex> lock(session_pointer_mutex_);
  for (int tid : own_threads_) session->exclude(tid);
}

void Agent::own_thread_ends(int tid) {
  if (tid == events::current_tid()) events::mark_own_thread(false);
  std::lock_guard<std::mutex> lock(session_pointer_mutex_);
  own_threads_.erase(tid);
  for (const auto& session : sessions_that_run()) session->include(tid);
}

// For a session that commands shall be about.
void Agent::check_beside(const Options& options) const {
  for (const auto& session : beside_) {
    if (is_always_on(*session)) continue;  // it makes room
    const char* contended = contended_event(session->options(), options);
    if (contended == nullptr && !has_breakpoints(options)) continue;
    throw Error(formatted("clients of the pprof endpoints are being told what is sampled now ({})", session->events()),
                contended == nullptr ? "begin and end need a JVM to themselves; try again when they have their profiles"
                                     : "try again when they have their profiles");
  }
}

std::shared_ptr<ProfileSession> Agent::begin_beside(const Options& options, JNIEnv* env) {
  constexpr uint64_t kNoNumber = 0;
  auto session = std::make_shared<ProfileSession>(&vm_, &log_, options, hooks_of(kNoNumber));
  {
    std::lock_guard<std::mutex> lock(session_pointer_mutex_);
    beside_.push_back(session);
  }
  session_changes_++;
  try {
    begin(session.get(), env);
  } catch (...) {
    drop_beside(session.get());
    throw;
  }
  return session;
}

void Agent::start_beside(const Options& options, JNIEnv* env) {
  for (const auto& session : all_sessions()) {
    if (session->running() && !is_always_on(*session)) check_fits_beside(options, *session);
  }
  prepare(env);
  RoomInStore room(always_on_.get(), options, env);
  shared_.push_back({with_a_signal(env, [&] { return begin_beside(options, env); }), 0});
}

void Agent::drop_beside(const ProfileSession* session) {
  std::lock_guard<std::mutex> lock(session_pointer_mutex_);
  session_changes_++;
  beside_.erase(std::find_if(beside_.begin(), beside_.end(), [&](const auto& one) { return one.get() == session; }));
}

// What comes more rarely than the client needs will do only where there can be no other of it.
std::shared_ptr<ProfileSession> Agent::session_with(const Options& needed) {
  for (const auto& session : all_sessions()) {
    if (is_always_on(*session)) continue;  // at its own, low rates
    Options there = session->sampled();
    // It may end at any moment, but where there can be no other that matters less.
    bool is_passing = is_private(there.session) || there.timeout_ns > 0;
    bool is_only_one = contended_event(there, needed) != nullptr;
    if ((is_passing || !is_as_fine(there, needed)) && !is_only_one) continue;
    if (session->running() && missing_event(there, needed) == nullptr && samples_all(there)) return session;
  }
  return nullptr;
}

Agent::Window Agent::open_window(const Options& needed, const Options& started, JNIEnv* env) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!entered_) throw Error("the JVM has not started yet", "ask again");
  learn_live_vm(env);
  std::shared_ptr<ProfileSession> session = session_with(needed);
  bool is_new = !session;
  if (is_new) {
    try {
      start_beside(started, env);
    } catch (const Error&) {  // it may be what was not needed
      start_beside(needed, env);
    }
    session = shared_.back().session;
  }
  auto shared = shared_of(*session);
  bool is_shared = shared != shared_.end();
  if (is_shared) shared->clients++;
  Window window = {session, {}, is_shared, is_new};
  try {
    window.since = session->mark();
  } catch (...) {
    close(&window, env);
    throw;
  }
  return window;
}

std::vector<Agent::Shared>::iterator Agent::shared_of(const ProfileSession& session) {
  return std::find_if(shared_.begin(), shared_.end(), [&](const Shared& one) { return one.session.get() == &session; });
}

profile::Profile Agent::profile_of(const Window& window, const SessionPart& part, const Options& output, JNIEnv* env) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (window.session->running()) name_living_threads(window.session.get(), env);
  return window.session->model(env, output, part);
}

void Agent::close_window(Window* window, JNIEnv* env) {
  std::lock_guard<std::mutex> lock(mutex_);
  close(window, env);
}

void Agent::close(Window* window, JNIEnv* env) {
  std::shared_ptr<ProfileSession> session = std::move(window->session);
  if (!session) return;
  auto found = shared_of(*session);
  if (found == shared_.end() || --found->clients > 0) return;
  shared_.erase(found);
  if (env != nullptr) session->forget_living(env);
  {
    RoomInStore room(always_on_.get(), env);
    session->stop();
    drop_beside(session.get());
  }
  stop_listening();
}

std::vector<std::string> Agent::events_for_windows() {
  std::lock_guard<std::mutex> lock(session_pointer_mutex_);
  std::vector<std::string> events;
  for (const auto& session : beside_)
    if (!is_always_on(*session)) events.push_back(session->events());
  return events;
}

}  // namespace hearth::session
