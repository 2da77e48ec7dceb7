// Sessions that several clients look at, each through a window of its own.
#include "base/error.h"
#include "session/agent.h"

namespace hearth::session {
namespace {

// The first event that is wanted and not there; null: all are.
const char* missing_event(const Options& there, const Options& wanted) {
  if (wanted.cpu && !there.cpu) return "cpu";
  if (wanted.wall_interval_ns > 0 && there.wall_interval_ns == 0) return "wall";
  if (wanted.allocation_interval && !there.allocation_interval) return "alloc";
  return wanted.live && !there.live ? "live" : nullptr;
}

}  // namespace

Agent::Window Agent::open_window(const Options& wanted, JNIEnv* env) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!entered_) throw Error("the JVM has not started yet", "ask again");
  learn_live_vm(env);
  if (session_ && session_->running()) {
    if (const char* missing = missing_event(session_->options(), wanted))
      throw Error(std::string("a session is running, and it does not sample ") + missing,
                  "stop it first, or ask for what it samples");
  } else {
    std::shared_ptr<ProfileSession> before = session_;
    start(wanted, env);
    shared_ = {session_, std::move(before), 0};
  }
  if (session_ == shared_.session) shared_.clients++;
  return {session_, session_->mark()};
}

profile::Profile Agent::profile_of(const Window& window, const Options& output, JNIEnv* env) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (window.session == session_ && session_->running()) name_living_threads(env);
  return window.session->model(env, output, window.since);
}

void Agent::close_window(Window* window) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<ProfileSession> session = std::move(window->session);
  if (!session || session != shared_.session || --shared_.clients > 0) return;
  Shared shared = std::move(shared_);
  shared_ = {};
  // Somebody may have stopped it, and then it is what he dumps.
  if (session_ != session || !session->running()) return;
  stop_listening();
  session->stop();
  set_session(std::move(shared.before));
}

}  // namespace hearth::session
