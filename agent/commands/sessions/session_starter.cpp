#include "commands/sessions/session_starter.h"

#include <thread>
#include <utility>

#include "base/error.h"
#include "base/jvm_refs.h"
#include "base/thread_data.h"
#include "naming/jfr_stream.h"
#include "session/counting/living_threads.h"

namespace hearth::commands {

SessionStarter::SessionStarter(JvmLifecycle* jvm, Log* log, SessionTable* table, OwnThreads* own_threads,
                               std::function<void(uint64_t)> on_timeout)
    : jvm_(jvm), log_(log), table_(table), own_threads_(own_threads), on_timeout_(std::move(on_timeout)) {}

SessionStarter::SessionPtr SessionStarter::start_user(const options::Options& options, const std::string& recording,
                                                      JNIEnv* env) {
  std::set<int> excluded = own_threads_->excluded();
  Session::Hooks hooks = hooks_of(++last_number_, excluded);
  if (!recording.empty())
    hooks.stream = [recording](session::SessionState* recorded) {
      return std::make_unique<naming::JfrStream>(recorded, recording);
    };
  auto session = std::make_shared<Session>(&jvm_->vm(), log_, options, std::move(hooks));
  table_->add_user(session);
  try {
    begin(session.get(), excluded, env);
  } catch (...) {
    table_->drop_user(*session);
    stop_listening_when_idle();
    throw;
  }
  return session;
}

SessionStarter::SessionPtr SessionStarter::start_auxiliary(const options::Options& options, JNIEnv* env,
                                                           const Session* before) {
  constexpr uint64_t kNoNumber = 0;
  std::set<int> excluded = own_threads_->excluded();
  Session::Hooks hooks = hooks_of(kNoNumber, excluded);
  hooks.before = before;
  auto session = std::make_shared<Session>(&jvm_->vm(), log_, options, std::move(hooks));
  table_->add_auxiliary(session);
  try {
    begin(session.get(), excluded, env);
  } catch (...) {
    table_->drop_auxiliary(*session);
    throw;
  }
  return session;
}

void SessionStarter::stop_auxiliary(Session* session) {
  session->stop();
  table_->drop_auxiliary(*session);
}

// The session is in the table already, and so receives the JVM's events.
void SessionStarter::begin(Session* session, const std::set<int>& excluded, JNIEnv* env) {
  if (!is_thread_data_ready())
    throw Error(
        "other libraries have used up glibc's reserve of static thread-local data, which signal handlers need",
        "start the JVM with -agentpath, or with GLIBC_TUNABLES=glibc.rtld.optional_static_tls=2048 in its environment");
  jvm_->listen_for_threads();
  session->start();
  try {
    own_threads_->exclude_from(session, excluded);
    name_living_threads(session, env);
  } catch (...) {
    session->stop();  // not in its destructor: others may own it for a moment longer
    throw;
  }
}

SessionStarter::Session::Hooks SessionStarter::hooks_of(uint64_t number, const std::set<int>& excluded) {
  auto on_timeout = [this, number] { std::thread(on_timeout_, number).detach(); };
  auto java_threads = [this]() -> std::vector<session::LivingThread> {
    JvmAttachment attachment(jvm_->vm().java_vm, "hearth");
    if (attachment.env() == nullptr) return {};
    return session::living_threads(jvm_->vm(), attachment.env());
  };
  auto own_thread = [this](int tid, bool begins) { begins ? own_threads_->add(tid) : own_threads_->remove(tid); };
  return {number, on_timeout, java_threads, excluded, own_thread};
}

void SessionStarter::name_living_threads(Session* session, JNIEnv* env) {
  if (env == nullptr) return;  // without a JVM
  for (session::LivingThread& thread : session::living_threads(jvm_->vm(), env))
    session->name_thread(thread.tid, std::move(thread.name));
}

void SessionStarter::stop_listening_when_idle() {
  if (!store_runs_ && table_->running().empty()) jvm_->stop_listening();
}

}  // namespace hearth::commands
