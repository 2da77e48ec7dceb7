#include "push/push_work.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <utility>

#include "base/clocks.h"
#include "base/error.h"
#include "base/files.h"
#include "base/formatted.h"
#include "profile/formats/formats.h"
#include "push/answer.h"
#include "store/time_range.h"

namespace hearth::push {
namespace {

// Attempts for a window that the server fails at, or that cannot be read now: some minutes. Later windows wait.
constexpr int kMostTries = 8;

// Empty if there is none.
std::optional<store::StoredWindow> latest_window(const std::string& store) {
  std::vector<store::StoredWindow> windows = store::windows_of(store, store::Level::kWindow);
  return windows.empty() ? std::nullopt : std::optional(windows.back());
}

// Called before this process writes its first window.
options::PushTarget with_windows_of_others(options::PushTarget target, const std::string& store) {
  if (std::optional<store::StoredWindow> latest = latest_window(store)) target.others_until_ns = latest->begin_ns;
  return target;
}

std::string status_text(const Connection::Reply& reply) {
  return reply.text.empty() ? std::to_string(reply.status) : formatted("{}: {}", reply.status, reply.text);
}

std::string counted(int64_t count, const char* noun) {
  return formatted("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

PushWork::PushWork(options::PushTarget target, std::string store, PushLoop::Callbacks callbacks, Patience patience,
                   int64_t first_wait_ns)
    : target_(with_windows_of_others(std::move(target), store)),
      store_(std::move(store)),
      callbacks_(std::move(callbacks)),
      queue_(store_),
      connection_(patience),
      back_off_(static_cast<uint64_t>(clock_ns(CLOCK_MONOTONIC)) ^ static_cast<uint64_t>(::getpid()), first_wait_ns) {
  check_token(target_);
  check_tls(target_);
  if (std::optional<store::StoredWindow> latest = latest_window(store_)) latest_written_ = latest->name;
}

void PushWork::run() {
  try {
    turns();
  } catch (const std::exception&) {  // no memory even for a message: pushing ends, and the next process pushes the
                                     // waiting windows
  }
  std::lock_guard<std::mutex> lock(mutex_);
  has_ended_ = true;
  wakes_.notify_all();
}

void PushWork::turns() {
  callbacks_.thread_begins();
  for (bool is_last = false;;) {
    bool went_well = push_all();
    cpu_ns_ = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    if (is_last || !rest(went_well)) break;
    is_last = ends();
  }
  callbacks_.thread_ends();
}

// Returns whether to continue: after the end one time, but not if the server does not reply.
bool PushWork::rest(bool went_well) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!went_well) {
    std::chrono::nanoseconds delay(back_off_.after_failure_ns(std::exchange(retry_after_ns_, 0)));
    return !wakes_.wait_for(lock, delay, [this] { return ends_; });
  }
  wakes_.wait(lock, [this] { return ends_ || has_news_; });
  has_news_ = false;
  return true;
}

// Late windows come first, but not between the parts of another window.
std::vector<std::string> PushWork::take_late() {
  if (gone_ > 0) return {};
  std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(late_, {});
}

bool PushWork::push_all() {
  try {
    for (std::string& name : take_late()) queue_.add_late(std::move(name));
    while (std::optional<store::StoredWindow> window = queue_.next()) {
      begin(*window);
      Outcome outcome = push(*window);
      if (outcome == Outcome::kWaits) return false;
      went(*window, outcome);
    }
    return true;
  } catch (const std::exception& error) {
    failed(error.what());
    return false;
  }
}

// Starts the window, or continues it. Another window may have been pushed in part and then dropped.
void PushWork::begin(const store::StoredWindow& window) {
  if (window.name == pushing_) return;
  pushing_ = window.name;
  gone_ = 0;
  tries_ = 0;
}

PushWork::Outcome PushWork::push(const store::StoredWindow& window) {
  std::optional<WindowParts> parts;
  try {
    parts.emplace(read_file(store::path_of(store_, window)), target_.protocol);
  } catch (const FileError& error) {
    if (error.number() != ENOENT) return tried(kUnread, error.what());
    is_lost(kUnread, formatted("{} was dropped before it could be pushed", window.name));
    return Outcome::kLost;
  } catch (const profile::FormatError& error) {
    is_lost(kUnread, formatted("{} cannot be read: {}", window.name, error.what()));
    return Outcome::kLost;
  } catch (const std::bad_alloc&) {
    return tried(kUnread, formatted("no memory to read {}", window.name));
  }
  return send(*parts, window);
}

// Counts an attempt; after the last one the window is lost. `kind`: see is_lost().
PushWork::Outcome PushWork::tried(int kind, const std::string& why) {
  if (++tries_ < kMostTries) {
    failed(why);
    return Outcome::kWaits;
  }
  is_lost(kind, formatted("{} (tried {} times)", why, tries_));
  return Outcome::kLost;
}

PushWork::Outcome PushWork::send(const WindowParts& parts, const store::StoredWindow& window) {
  while (gone_ < parts.end()) {
    PushPart part = parts.part(gone_, target_, window);
    Connection::Reply reply = connection_.post(target_, part);
    Answer answer = answer_of(target_.protocol, reply.status);
    if (answer == Answer::kTaken) {
      gone_ = part.next;
      is_remarked(reply);
      continue;
    }
    if (answer == Answer::kRefused) {
      is_lost(reply.status,
              formatted("{} refuses it with {}{}", target_.url(), status_text(reply), hint_for(target_, reply.status)));
      return Outcome::kLost;
    }
    retry_after_ns_ = reply.retry_after_ns;
    std::string why = reply.status == 0 ? reply.text : formatted("{} replies {}", target_.url(), status_text(reply));
    if (answer == Answer::kFailed) return tried(reply.status, why);
    failed(why);
    return Outcome::kWaits;
  }
  return Outcome::kGone;
}

void PushWork::went(const store::StoredWindow& window, Outcome outcome) {
  pushing_.clear();
  gone_ = 0;
  back_off_.has_gone_well();
  bool goes_again = false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    (outcome == Outcome::kGone ? pushed_ : lost_)++;
    bool did_fail = std::exchange(fails_, false);
    bool has_remark = std::exchange(has_remark_, false);
    if (outcome == Outcome::kGone) {
      goes_again = std::exchange(told_loss_, kNoLoss) != kNoLoss || did_fail;
      remarks_ = has_remark;
    }
  }
  if (goes_again) callbacks_.log(formatted("windows are pushed to {} again", target_.url()));
  queue_.is_done_with(window);
}

// Logs the first loss of a kind, until a window is pushed again.
void PushWork::is_lost(int kind, const std::string& why) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    last_error_ = formatted("{} ({})", why, store::time_text(clock_ns(CLOCK_REALTIME)));
    if (std::exchange(told_loss_, kind) == kind) return;
  }
  callbacks_.log(formatted("a window was not pushed and is lost to the server: {}", why));
}

// Logs a remark once, until a window is pushed without one.
void PushWork::is_remarked(const Connection::Reply& reply) {
  if (reply.rejected == 0 && reply.text.empty()) return;
  std::string remark =
      reply.rejected > 0
          ? formatted("{} rejects {} of a window: {}", target_.url(), counted(reply.rejected, "profile"), reply.text)
          : formatted("{} accepted a window with the remark: {}", target_.url(), reply.text);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    rejected_ += reply.rejected;
    last_error_ = formatted("{} ({})", remark, store::time_text(clock_ns(CLOCK_REALTIME)));
    has_remark_ = true;
    if (std::exchange(remarks_, true)) return;
  }
  callbacks_.log(remark);
}

void PushWork::failed(const std::string& why) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (ends_) return;
    last_error_ = formatted("{} ({})", why, store::time_text(clock_ns(CLOCK_REALTIME)));
    if (std::exchange(fails_, true)) return;
  }
  callbacks_.log(formatted("windows cannot be pushed to {} and wait in {}: {}", target_.url(), store_, why));
}

void PushWork::end() {
  std::lock_guard<std::mutex> lock(mutex_);
  ends_ = true;
  wakes_.notify_all();
}

bool PushWork::ends() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return ends_;
}

bool PushWork::has_ended_within(std::chrono::milliseconds time) {
  std::unique_lock<std::mutex> lock(mutex_);
  return wakes_.wait_for(lock, time, [this] { return has_ended_; });
}

bool PushWork::is_failing() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return fails_;
}

void PushWork::window_written(const std::string& name) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (name < latest_written_)
    late_.push_back(name);
  else
    latest_written_ = name;
  has_news_ = true;
  wakes_.notify_all();
}

std::string PushWork::status() const {
  uint64_t waiting = waiting_windows(store_);
  std::lock_guard<std::mutex> lock(mutex_);
  std::string text = formatted("Pushing to {} as {}: {} pushed, {} waiting", target_.url(), target_.name(),
                               counted(static_cast<int64_t>(pushed_), "window"), waiting);
  if (lost_ > 0) text += formatted(", {} not taken", lost_);
  if (rejected_ > 0) text += formatted(", {} of them rejected", counted(rejected_, "profile"));
  if (!last_error_.empty()) text += "; last error: " + last_error_;
  return text;
}

}  // namespace hearth::push
