// The agent's always-on store: who starts and stops it, the thread that ends its windows, and what is asked of it.
#include <malloc.h>
#include <pthread.h>

#include <chrono>
#include <ctime>
#include <system_error>

#include "base/all_signals_blocked.h"
#include "base/error.h"
#include "base/formatted.h"
#include "base/jvm_refs.h"
#include "capture/recorder.h"
#include "events/handlers/current_tid.h"
#include "events/thread_clock.h"
#include "session/agent.h"
#include "session/file_pattern.h"
#include "session/store_push.h"
#include "store/time_range.h"
#include "store/window_reader.h"

namespace hearth::session {
namespace {

constexpr uint64_t kRetryNs = 50'000'000;  // where a command has the agent

}  // namespace

Agent::Answer Agent::start_store(const Options& options, JNIEnv* env) {
  if (always_on_)
    throw Error(formatted("a store is running, in {}", always_on_->directory()),
                "stop it first: hearth stop PID --store");
  AlwaysOn::Doors doors = {
      [this](const Options& one, JNIEnv* on) { return begin_beside(one, on); },
      [this](ProfileSession* session) {
        session->stop();
        drop_beside(session);
      },
      [this] { return all_sessions(); },
      [this] { own_thread_begins(events::current_tid()); },
      [this] { own_thread_ends(events::current_tid()); },
      [this] { return jvm_identity(vm_.jvmti); },
  };
  auto store = std::make_shared<AlwaysOn>(options, &log_, &vm_, doors);
  prepare(env);
  try {
    store->start(env);
    end_store_thread();
    store_ends_ = false;
    AllSignalsBlocked blocked;
    always_on_ = std::move(store);
    store_thread_ = std::thread([this] { work_for_store(); });
  } catch (...) {
    if (store) store->stop(env);
    if (always_on_) always_on_->stop(env);
    always_on_.reset();
    vm_.slow_labels.set_limit(0);
    stop_listening();
    throw;
  }
  return {always_on_->status()};
}

Agent::Answer Agent::stop_store(JNIEnv* env) {
  if (!always_on_) throw Error("no store is running", "start one with start,store=DIR");
  end_store_thread();
  always_on_->stop(env);
  std::string said = formatted("The store in {} was stopped: {} windows written", always_on_->directory(),
                               always_on_->store().written());
  bool watched_labels = std::exchange(always_on_, nullptr)->watches_labels();
  if (watched_labels) {
    vm_.slow_labels.set_limit(0);
    LoadedClasses classes(vm_.jvmti, env);
    tell_java_labels(vm_.jvmti, env, classes, *native_classes_, vm_.slow_labels.limit());
  }
  stop_listening();
  return {said};
}

// At the JVM's end: the running window is stored, too.
void Agent::end_store(JNIEnv* env) {
  std::lock_guard<std::mutex> lock(mutex_);
  try {
    if (always_on_) stop_store(env);
  } catch (const std::exception& error) {
    log_.error(error.what());
  }
  end_store_thread();
}

// Under the agent's lock, which the thread only tries to take.
void Agent::end_store_thread() {
  {
    std::lock_guard<std::mutex> lock(store_mutex_);
    store_ends_ = true;
  }
  store_wakes_.notify_all();
  if (always_on_) always_on_->store().interrupt();
  if (store_thread_.joinable()) store_thread_.join();
}

void Agent::work_for_store() {
  pthread_setname_np(pthread_self(), "hearth store");
  JvmAttachment attachment(vm_.java_vm, "hearth store");
  if (attachment.env() == nullptr) return log_.error("the JVM takes no more threads: the store's windows do not end");
  own_thread_begins(events::current_tid());
  uint64_t due = 0;
  for (;;) {
    due = store_turn(attachment.env());
    std::unique_lock<std::mutex> lock(store_mutex_);
    auto rest = std::chrono::nanoseconds(due - std::min(due, capture::now_ns()));
    if (store_wakes_.wait_for(lock, rest, [this] { return store_ends_; })) break;
  }
  own_thread_ends(events::current_tid());
}

// Returns when it is to be called again. Commands need not wait while it writes.
uint64_t Agent::store_turn(JNIEnv* env) {
  std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock() || !always_on_) return capture::now_ns() + kRetryNs;
  if (capture::now_ns() < always_on_->due_ns()) return always_on_->due_ns();
  std::shared_ptr<AlwaysOn> store = always_on_;
  AlwaysOn::Ended ended;
  try {
    ended = store->turn(env);
  } catch (const std::exception& error) {
    log_.error(formatted("the store's window goes on: {}", error.what()));
    store->put_off();
  }
  uint64_t due = std::max(store->due_ns(), capture::now_ns() + kRetryNs);
  lock.unlock();
  try {
    store->write(ended);
    while (ended.window && store->store().merge_once()) {
    }
  } catch (const std::exception& error) {
    log_.error(formatted("the store: {}", error.what()));
  }
  if (!ended.window) return due;
  malloc_trim(0);  // what that took is not kept: the JVM has better use for it
  return due;
}

profile::Profile Agent::stored_range(const Options& options, JNIEnv* env) {
  store::TimeRange range = store::parse_range(options.from, options.to, events::clock_ns(CLOCK_REALTIME));
  std::string directory = options.store.empty() ? "" : expand_file_pattern(options.store, 1);
  std::string running = store_directory();
  if (directory.empty() && running.empty())
    throw Error("no store is running", "give its directory as store=DIR, or start one with start,store=DIR");
  if (directory.empty() || directory == running) {
    store_with(range, env);
    directory = running;
  }
  return store::read_range(directory, range);
}

// Reading takes long, and nobody has to wait for it.
Agent::Answer Agent::dump_store(const Options& options, JNIEnv* env) {
  profile::Profile profile = stored_range(options, env);
  std::lock_guard<std::mutex> lock(mutex_);
  return write_model(profile, options);
}

std::string Agent::store_directory() {
  std::lock_guard<std::mutex> lock(mutex_);
  return always_on_ ? always_on_->directory() : "";
}

std::string Agent::store_with(const store::TimeRange& range, JNIEnv* env) {
  std::shared_ptr<AlwaysOn> store;
  AlwaysOn::Ended ended;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!always_on_) return "";
    store = always_on_;
    if (range.to_ns >= events::clock_ns(CLOCK_REALTIME)) ended = store->flush(env);
  }
  store->write(ended);
  return store->directory();
}

std::optional<AlwaysOnFigures> Agent::always_on() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!always_on_) return std::nullopt;
  return always_on_->figures();
}

}  // namespace hearth::session
