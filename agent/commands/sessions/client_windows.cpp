#include "commands/sessions/client_windows.h"

#include <utility>

#include "always_on/rebalance_guard.h"
#include "base/error.h"
#include "naming/session_profile.h"
#include "options/sampled_events.h"

namespace hearth::commands {

ClientWindows::ClientWindows(AgentLocks* locks, JvmLifecycle* jvm, SessionTable* table, SessionStarter* starter,
                             StoreController* store, OutputWriter* outputs)
    : locks_(locks), jvm_(jvm), table_(table), starter_(starter), store_(store), conflicts_(table, outputs) {}

// A session with a longer interval than the client needs is used only where no other session of the event can run.
std::shared_ptr<session::ProfileSession> ClientWindows::usable_session(const options::Options& needed) const {
  for (const auto& session : table_->all()) {
    if (always_on::is_always_on(*session)) continue;  // its rates are low
    options::Options there = session->sampled();
    // It may end at any moment, which matters less where no other can run.
    bool is_passing = is_private(there.session) || there.timeout_ns > 0;
    bool is_only_one = options::contended_event(there, needed) != nullptr;
    if ((is_passing || !options::is_as_fine(there, needed)) && !is_only_one) continue;
    if (session->running() && options::missing_event(there, needed) == nullptr && options::samples_all(there))
      return session;
  }
  return nullptr;
}

std::shared_ptr<session::ProfileSession> ClientWindows::start_session(const options::Options& options, JNIEnv* env) {
  conflicts_.check_auxiliary(options);
  try {
    jvm_->prepare_sampling(env);
    always_on::StoreRebalanceGuard guard(store_->running(), options, env);
    std::shared_ptr<session::ProfileSession> session;
    store_->with_free_signal(env, [&] { session = starter_->start_auxiliary(options, env); });
    table_->share(session);
    return session;
  } catch (...) {
    starter_->stop_listening_when_idle();
    throw;
  }
}

ClientWindows::Window ClientWindows::open(const options::Options& needed, const options::Options& started,
                                          JNIEnv* env) {
  AgentLocks::Lock command(locks_->commands());
  std::lock_guard<std::mutex> lock(locks_->state());
  if (!jvm_->entered()) throw Error("the JVM has not started yet", "ask again");
  jvm_->refuse_at_end();
  jvm_->complete(env);
  std::shared_ptr<session::ProfileSession> session = usable_session(needed);
  bool is_new = !session;
  if (is_new) {
    try {
      session = start_session(started, env);
    } catch (const Error&) {  // perhaps because of an event that is not needed
      session = start_session(needed, env);
    }
  }
  Window window = {session, {}, table_->add_client(*session), is_new};
  try {
    window.since = naming::take_snapshot(session.get());
  } catch (...) {
    close_locked(&window, env);
    throw;
  }
  return window;
}

profile::Profile ClientWindows::profile(const Window& window, const session::ProfileRange& range,
                                        const options::Options& output, JNIEnv* env) {
  AgentLocks::Lock command(locks_->commands());
  {
    std::lock_guard<std::mutex> lock(locks_->state());
    if (window.session->running()) starter_->name_living_threads(window.session.get(), env);
  }
  return naming::profile_of(window.session.get(), env, output, range);
}

void ClientWindows::close(Window* window, JNIEnv* env) {
  AgentLocks::Lock command(locks_->commands());
  std::lock_guard<std::mutex> lock(locks_->state());
  close_locked(window, env);
}

void ClientWindows::close_locked(Window* window, JNIEnv* env) {
  std::shared_ptr<session::ProfileSession> session = std::move(window->session);
  if (!session || !table_->remove_client(*session)) return;
  if (env != nullptr) session->forget_living(env);
  {
    always_on::StoreRebalanceGuard guard(store_->running(), env);
    starter_->stop_auxiliary(session.get());
  }
  starter_->stop_listening_when_idle();
}

std::vector<std::string> ClientWindows::events() const {
  std::lock_guard<std::mutex> lock(locks_->state());  // a session in the table may still be starting
  std::vector<std::string> events;
  for (const auto& session : table_->auxiliary_sessions())
    if (!always_on::is_always_on(*session)) events.push_back(session->events());
  return events;
}

}  // namespace hearth::commands
