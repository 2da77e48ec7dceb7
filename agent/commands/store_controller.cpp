#include "commands/store_controller.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>

#include "always_on/store_push.h"
#include "base/clocks.h"
#include "base/error.h"
#include "base/formatted.h"
#include "base/jvm_refs.h"
#include "base/resident_set.h"
#include "capture/recorder.h"
#include "events/handlers/current_tid.h"
#include "events/profiling_signal.h"
#include "options/file_pattern.h"
#include "store/window_reader.h"

namespace hearth::commands {
namespace {

constexpr uint64_t kRetryNs = 50'000'000;  // while a command holds the agent's lock

}  // namespace

StoreController::StoreController(AgentLocks* locks, JvmLifecycle* jvm, Log* log, SessionTable* table,
                                 OwnThreads* own_threads, SessionStarter* starter)
    : locks_(locks), jvm_(jvm), log_(log), table_(table), own_threads_(own_threads), starter_(starter) {}

always_on::AlwaysOn::Callbacks StoreController::callbacks() {
  return {
      {
          [this](const options::Options& one, const auto& before, JNIEnv* env) {
            return starter_->start_auxiliary(one, env, before.get());
          },
          [this](session::ProfileSession* session) { starter_->stop_auxiliary(session); },
          [this] { return table_->all(); },
      },
      [this] { own_threads_->add(events::current_tid()); },
      [this] { own_threads_->remove(events::current_tid()); },
      [this] { return always_on::jvm_identity(jvm_->vm().jvmti); },
  };
}

std::string StoreController::start(const options::Options& options, JNIEnv* env) {
  if (always_on_)
    throw Error(formatted("a store is running, in {}", always_on_->store().directory()),
                "stop it first: hearth stop PID --store");
  auto store = std::make_shared<always_on::AlwaysOn>(options, log_, &jvm_->vm(), callbacks());
  jvm_->prepare_sampling(env);
  try {
    store->start(env);
    end_thread();
    thread_ends_ = false;
    always_on_ = std::move(store);
    starter_->set_store_runs(true);
    thread_.start([this] { work(); });
  } catch (...) {
    if (store) store->stop(env);
    if (always_on_) always_on_->stop(env);
    always_on_.reset();
    starter_->set_store_runs(false);
    jvm_->vm().slow_labels.set_limit(0);
    starter_->stop_listening_when_idle();
    throw;
  }
  return always_on_->status();
}

std::string StoreController::stop(JNIEnv* env) {
  if (!always_on_) throw Error("no store is running", "start one with start,store=DIR");
  end_thread();
  always_on_->stop(env);
  std::string message = formatted("The store in {} was stopped: {} windows written", always_on_->store().directory(),
                                  always_on_->store().written());
  bool watched_labels = std::exchange(always_on_, nullptr)->watches_labels();
  starter_->set_store_runs(false);
  if (watched_labels) {
    jvm_->vm().slow_labels.set_limit(0);
    jvm_->connect_labels(env);
  }
  starter_->stop_listening_when_idle();
  return message;
}

void StoreController::with_free_signal(JNIEnv* env, const std::function<void()>& begin) {
  try {
    begin();
  } catch (const events::NoFreeSignal&) {
    if (!always_on_ || !always_on_->sources().release_clock(env)) throw;
    begin();
  }
}

void StoreController::end(JNIEnv* env) {
  AgentLocks::Lock command = locks_->lock_to_end(&locks_->commands());
  if (!command) return;
  AgentLocks::Lock lock = locks_->lock_to_end(&locks_->state());
  if (!lock) return;
  try {
    if (always_on_) stop(env);
    end_thread();
  } catch (const std::exception& error) {
    log_->error(error.what());
  }
}

// Under the commands' lock, which the thread only tries to take. Throws Error at the JVM's end when the thread does not
// finish a write; it may hold the store's lock then.
void StoreController::end_thread() {
  {
    std::lock_guard<std::mutex> lock(thread_mutex_);
    thread_ends_ = true;
  }
  thread_wakes_.notify_all();
  if (always_on_) always_on_->store().interrupt();
  constexpr std::chrono::seconds kPatience(10);
  if (!thread_.join(jvm_->vm().ends, kPatience))
    throw Error(formatted("the JVM ends before a window of the store is written: that has taken longer than {} s",
                          kPatience.count()));
}

void StoreController::work() {
  pthread_setname_np(pthread_self(), "hearth store");
  JvmAttachment attachment(jvm_->vm().java_vm, "hearth store");
  if (attachment.env() == nullptr) return log_->error("the JVM takes no more threads: the store's windows do not end");
  own_threads_->add(events::current_tid());
  uint64_t due = 0;
  for (;;) {
    due = turn(attachment.env());
    std::unique_lock<std::mutex> lock(thread_mutex_);
    auto rest = std::chrono::nanoseconds(due - std::min(due, capture::now_ns()));
    if (thread_wakes_.wait_for(lock, rest, [this] { return thread_ends_; })) break;
  }
  own_threads_->remove(events::current_tid());
}

// Returns when it is to be called again. It writes without the agent's locks.
uint64_t StoreController::turn(JNIEnv* env) {
  AgentLocks::Lock command(locks_->commands(), std::try_to_lock);
  if (!command.owns_lock()) return capture::now_ns() + kRetryNs;
  AgentLocks::Lock lock(locks_->state());
  if (!always_on_) return capture::now_ns() + kRetryNs;
  if (capture::now_ns() < always_on_->due_ns()) return always_on_->due_ns();
  std::shared_ptr<always_on::AlwaysOn> store = always_on_;
  always_on::AlwaysOn::Ended ended;
  try {
    ended = store->turn(env);
  } catch (const std::exception& error) {
    log_->error(formatted("the store's window goes on: {}", error.what()));
    store->put_off();
  }
  uint64_t due = std::max(store->due_ns(), capture::now_ns() + kRetryNs);
  lock.unlock();
  command.unlock();
  write(store.get(), ended);
  return due;
}

void StoreController::write(always_on::AlwaysOn* store, const always_on::AlwaysOn::Ended& ended) {
  try {
    store->write(ended);
    while (ended.window && store->store().merge_once()) {
    }
  } catch (const std::exception& error) {
    log_->error(formatted("the store: {}", error.what()));
  }
  if (ended.window) return_freed_memory();  // returns the memory of the window's model to the system
}

profile::Profile StoreController::range(const options::Options& options, JNIEnv* env) {
  store::TimeRange range = store::parse_range(options.from, options.to, clock_ns(CLOCK_REALTIME));
  std::string wanted = options.store.empty() ? "" : options::expand_file_pattern(options.store, 1);
  std::string running = directory();
  if (wanted.empty() && running.empty())
    throw Error("no store is running", "give its directory as store=DIR, or start one with start,store=DIR");
  if (wanted.empty() || wanted == running) {
    flush(range, env);
    wanted = running;
  }
  return store::read_range(wanted, range);
}

std::string StoreController::directory() {
  std::lock_guard<std::mutex> lock(locks_->state());
  return always_on_ ? always_on_->store().directory() : "";
}

std::string StoreController::flush(const store::TimeRange& range, JNIEnv* env) {
  std::shared_ptr<always_on::AlwaysOn> store;
  always_on::AlwaysOn::Ended ended;
  {
    AgentLocks::Lock command(locks_->commands());
    std::lock_guard<std::mutex> lock(locks_->state());
    if (!always_on_) return "";
    store = always_on_;
    if (range.to_ns >= clock_ns(CLOCK_REALTIME)) ended = store->flush(env);
  }
  store->write(ended);
  return store->store().directory();
}

std::optional<always_on::AlwaysOnFigures> StoreController::figures() {
  std::lock_guard<std::mutex> lock(locks_->state());
  if (!always_on_) return std::nullopt;
  return always_on_->figures();
}

}  // namespace hearth::commands
