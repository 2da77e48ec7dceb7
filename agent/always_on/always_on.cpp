#include "always_on/always_on.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "always_on/store_push.h"
#include "base/error.h"
#include "base/formatted.h"
#include "capture/recorder.h"
#include "events/profiling_signal.h"
#include "events/threads/thread_clock.h"
#include "naming/session_profile.h"
#include "options/file_pattern.h"
#include "options/sampled_events.h"
#include "profile/formats/amount_text.h"
#include "profile/model/event_view.h"
#include "push/connection.h"

namespace hearth::always_on {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr uint64_t kMeasureEveryNs = 10 * kSecond;
constexpr uint64_t kWatchEveryNs = kSecond;
constexpr uint64_t kOldestNs = 3600ull * kSecond;
constexpr uint64_t kYoungestNs = 60ull * kSecond;  // a start costs time, too
constexpr int64_t kMostMemory = 24 << 20;          // of the own session, before a new one replaces it

// Checks also the files that hold a token or credentials.
std::optional<options::PushTarget> checked_push_target(const options::Options& options,
                                                       const AlwaysOn::Callbacks& callbacks) {
  if (options.push.empty()) return std::nullopt;
  options::PushTarget target = push_target(options, callbacks.jvm());
  push::check_token(target);
  return target;
}

}  // namespace

bool is_always_on(const session::ProfileSession& session) {
  return session.options().always_on;
}

StoreRebalanceGuard::StoreRebalanceGuard(AlwaysOn* store, const options::Options& wanted, JNIEnv* env)
    : store_(store), env_(env) {
  if (store_ != nullptr) store_->release_resources_for(wanted, env);
}

// Without an attached thread no frame can be named.
StoreRebalanceGuard::StoreRebalanceGuard(AlwaysOn* store, JNIEnv* env)
    : store_(env == nullptr ? nullptr : store), env_(env) {}

StoreRebalanceGuard::~StoreRebalanceGuard() {
  if (store_ == nullptr) return;
  try {
    store_->rebalance(env_);
  } catch (const std::exception& error) {
    store_->log().error(error.what());
  }
}

AlwaysOn::AlwaysOn(const options::Options& options, Log* log, vm::Vm* vm, Callbacks callbacks)
    : options_(options),
      log_(log),
      callbacks_(std::move(callbacks)),
      push_target_(checked_push_target(options_, callbacks_)),
      store_(options::expand_file_pattern(options.store, 1), options.keep.value_or(options::StoreLimits()).bytes,
             [log](const std::string& line) { log->warn(line); }),
      budget_(options.budget),
      recorder_(options.triggers, vm) {}

void AlwaysOn::start(JNIEnv* env) {
  recorder_.start(env);
  begin_window();
  begins_ = true;
  rebalance(env);
  begins_ = false;
  if (!own_.session && borrowed_.empty()) throw Error(unsampled_.empty() ? "nothing can be sampled" : unsampled_);
  if (!push_target_) return;
  push::PushLoop::Doors doors = {callbacks_.own_thread_begins, callbacks_.own_thread_ends,
                                 [log = log_](const std::string& line) { log->warn(line); }};
  push_ = std::make_unique<push::PushLoop>(*push_target_, store_.directory(), doors);
}

void AlwaysOn::stop(JNIEnv* env) {
  std::string reason = reason_to_freeze(nullptr);  // as when the JVM ends for that reason
  end_own(env);
  write({end_window(env), reason});
  borrowed_.clear();
  if (push_) push_->finish();
}

// Windows end where the clock shows a multiple of their length: at 10:02:00, not at 10:02:17.
void AlwaysOn::begin_window() {
  window_began_unix_ns_ = events::clock_ns(CLOCK_REALTIME);
  window_began_ns_ = capture::now_ns();
  int64_t rest = options_.window_ns - window_began_unix_ns_ % options_.window_ns;
  if (rest < options_.window_ns / 10) rest += options_.window_ns;
  window_ends_ns_ = window_began_ns_ + static_cast<uint64_t>(rest);
  set_due();
}

void AlwaysOn::set_due() {
  due_ns_ = std::min(window_ends_ns_, capture::now_ns() + (recorder_.is_on() ? kWatchEveryNs : kMeasureEveryNs));
}

// When it throws, the next window gets these samples.
void AlwaysOn::collect(BorrowedSession* loan, JNIEnv* env) {
  session::SessionSnapshot next;
  session::ProfileRange range;
  range.since = loan->since;
  range.events = loan->events;
  range.next = &next;
  profile::Profile profile = naming::profile_of(loan->session.get(), env, options_, range);
  bool is_own = is_always_on(*loan->session);
  window_.add(is_own ? std::move(profile) : profile::only_events(profile, loan->events));
  loan->since = std::move(next);
}

options::Options AlwaysOn::wanted_now() const {
  options::Options wanted = options_;
  int64_t slowdown = budget_.slowdown();
  wanted.interval_ns *= slowdown;
  wanted.wall_interval_ns *= slowdown;
  constexpr int64_t kMostBytes = 1 << 30;
  if (wanted.allocation_interval)
    wanted.allocation_interval = std::min(*wanted.allocation_interval * slowdown, kMostBytes);
  if (wanted.lock_interval_ns) wanted.lock_interval_ns = *wanted.lock_interval_ns * slowdown;
  return wanted;
}

void AlwaysOn::begin_own(const options::Options& rest, JNIEnv* env) {
  options::Options taken = rest;
  try {
    own_.session = callbacks_.begin(taken, env);
  } catch (const Error& error) {
    // Other sessions may use all signals. JDK 8 samples no allocations, and another agent may be sampling them.
    bool lacks_signal = dynamic_cast<const events::NoFreeSignal*>(&error) != nullptr;
    taken = lacks_signal ? options::without_clocks(rest) : options::without_allocations(rest);
    if (options::event_names(taken) == options::event_names(rest) || options::samples_nothing(taken)) throw;
    own_.session = callbacks_.begin(taken, env);
    unsampled_ = formatted("{} missing: {}", lacks_signal ? "clocks are" : "allocations are", error.what());
  }
  own_.events = options::event_names(taken);
  own_.since = {};
  own_began_ns_ = capture::now_ns();
  measured_.own_session = 0;
}

void AlwaysOn::end_own(JNIEnv* env) {
  if (!own_.session) return;
  BorrowedSession ended = std::exchange(own_, {});
  callbacks_.end(
      ended.session.get());  // before naming, which takes long: samples taken meanwhile would be in no window
  ended_cost_ns_ += ended.session->own_cpu_ns() - std::exchange(measured_.own_session, 0);
  collect(&ended, env);
}

void AlwaysOn::release_resources_for(const options::Options& wanted, JNIEnv* env) {
  if (!own_.session) return;
  const options::Options& mine = own_.session->options();
  options::Options left = options::samples_all(wanted) ? options::without_events_of(mine, wanted)
                                                       : options::without_contended_events(mine, wanted);
  bool is_in_the_way = options::event_names(left) != own_.events;
  if (options::has_breakpoints(wanted) || is_in_the_way) end_own(env);
}

void AlwaysOn::adopt_resumed(const std::shared_ptr<session::ProfileSession>& session, const options::Options& resumed) {
  if (!options::samples_all(session->options())) return;
  auto contains = [](const std::vector<std::string>& events, const std::string& event) {
    return std::find(events.begin(), events.end(), event) != events.end();
  };
  std::vector<std::string> of_others, before, events;
  auto known = borrowed_.end();
  for (auto loan = borrowed_.begin(); loan != borrowed_.end(); ++loan) {
    bool is_it = loan->session == session;
    if (is_it) known = loan;
    for (const std::string& event : loan->events) (is_it ? before : of_others).push_back(event);
  }
  for (std::string& event : options::common_events(options_, resumed))
    if (!contains(of_others, event)) before.push_back(std::move(event));
  for (std::string& event : options::event_names(options_))  // in the order that rebalance() compares
    if (contains(before, event)) events.push_back(std::move(event));
  if (known != borrowed_.end())
    known->events = events;
  else if (!events.empty())
    borrowed_.push_back({session, events, naming::take_snapshot(session.get())});
}

bool AlwaysOn::release_clock(JNIEnv* env) {
  if (!own_.session || !options::has_clock(own_.session->options())) return false;
  end_own(env);
  return true;
}

void AlwaysOn::rebalance(JNIEnv* env) {
  for (BorrowedSession& loan : borrowed_)
    if (!loan.session->running()) collect(&loan, env);
  std::string missing;
  options::Options rest = wanted_now();
  std::vector<BorrowedSession> loans;
  std::vector<BorrowedSession*> known_loans;  // for each the loan before, or null
  std::vector<uint64_t> known_now;
  std::vector<std::shared_ptr<session::ProfileSession>> sessions = callbacks_.sessions();
  for (const std::shared_ptr<session::ProfileSession>& session : sessions) known_now.push_back(session->began_ns());
  for (const std::shared_ptr<session::ProfileSession>& session : sessions) {
    if (!session->running() || owns(*session)) continue;
    options::Options there = session->sampled();
    bool gives = options::samples_all(there);
    options::Options without = options::has_breakpoints(there) ? options::without_events_of(rest, options_)
                               : gives                         ? options::without_events_of(rest, there)
                                                               : options::without_contended_events(rest, there);
    std::vector<std::string> given = gives ? options::common_events(rest, there) : std::vector<std::string>();
    if (options::event_names(rest).size() > options::event_names(without).size() + given.size())
      missing = formatted("{} keeps the store from sampling some of its events", session->events());
    rest = without;
    auto known = std::find_if(borrowed_.begin(), borrowed_.end(),
                              [&](const BorrowedSession& loan) { return loan.session == session; });
    bool is_known = known != borrowed_.end();
    if (is_known && known->events != given) collect(&*known, env);  // until now the session lent those
    if (given.empty()) continue;
    bool is_old = begins_ || std::find(known_sessions_.begin(), known_sessions_.end(), session->began_ns()) !=
                                 known_sessions_.end();
    known_loans.push_back(is_known ? &*known : nullptr);
    loans.push_back(
        {session, given, !is_known && is_old ? naming::take_snapshot(session.get()) : session::SessionSnapshot()});
  }
  // Nothing is thrown from here on, so the loans keep where the window ends.
  for (size_t i = 0; i < loans.size(); i++)
    if (known_loans[i] != nullptr) std::swap(loans[i].since, known_loans[i]->since);
  borrowed_.swap(loans);
  known_sessions_.swap(known_now);
  unsampled_ = missing;
  bool is_right = own_.session ? own_.events == options::event_names(rest) : options::samples_nothing(rest);
  if (!is_right) {
    end_own(env);
    try {
      if (!options::samples_nothing(rest)) begin_own(rest, env);
    } catch (const std::exception& error) {
      unsampled_ = formatted("{} is missing: {}", joined(options::event_names(rest), ", "), error.what());
    }
  }
  if (!unsampled_.empty() && unsampled_ != std::exchange(told_, unsampled_)) log_->warn("the store: " + unsampled_);
}

std::optional<profile::Profile> AlwaysOn::end_window(JNIEnv* env) {
  if (own_.session) collect(&own_, env);
  for (BorrowedSession& loan : borrowed_) collect(&loan, env);
  int64_t began_unix_ns = window_began_unix_ns_;
  uint64_t began_ns = window_began_ns_;
  begin_window();
  if (window_.is_empty()) return std::nullopt;
  profile::Profile profile = window_.take();
  profile.metadata.start_unix_ns = began_unix_ns;
  profile.metadata.duration_ns = static_cast<int64_t>(window_began_ns_ - began_ns);
  if (!unsampled_.empty()) profile.quality.notes.push_back(unsampled_);
  if (budget_.slowdown() > 1)
    profile.quality.notes.push_back(formatted("rates are {} times lower than asked for, to hold budget={:g}%",
                                              budget_.slowdown(), 100 * budget_.share()));
  return std::optional<profile::Profile>(std::move(profile));
}

void AlwaysOn::write(const Ended& ended) {
  if (ended.window) {
    std::string name = store_.add(*ended.window);
    if (push_ && !name.empty()) push_->window_written(name);
  }
  const std::string& reason = ended.freeze_reason;
  if (reason.empty()) return;
  int64_t now_ns = events::clock_ns(CLOCK_REALTIME);
  try {
    std::string file = store_.keep({now_ns - options_.freeze_ns, now_ns}, reason);
    frozen_++;
    log_->warn(formatted("{}; what is stored of the last {} is kept in {}", reason,
                         profile::duration_text(options_.freeze_ns), file));
  } catch (const std::exception& error) {
    log_->error(formatted("{}; but nothing could be kept: {}", reason, error.what()));
  }
}

// Whether a new session is to replace the own one, because of its age, memory or spans. After the end of a window the
// limit of spans is half, so that those of the next window fit.
bool AlwaysOn::has_grown(bool is_window_over) const {
  uint64_t age = capture::now_ns() - own_began_ns_;
  if (age < kYoungestNs || age >= kOldestNs) return age >= kOldestNs;
  constexpr uint32_t kMostSpans = capture::SpanTable::kMost;
  if (own_.session->capture().recorder.spans().used() >= (is_window_over ? kMostSpans / 2 : kMostSpans)) return true;
  int64_t bytes = 0;
  for (const auto& [part, taken] : own_.session->memory()) bytes += taken;
  return bytes > kMostMemory;
}

bool AlwaysOn::should_slow_down() {
  if (capture::now_ns() < measured_.time + kMeasureEveryNs) return false;
  Clocks now;
  if (own_.session) now.own_session = own_.session->own_cpu_ns();
  now.own_thread = events::clock_ns(CLOCK_THREAD_CPUTIME_ID) + (push_ ? push_->cpu_ns() : 0);
  now.process = events::clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  now.time = capture::now_ns();
  Clocks before = std::exchange(measured_, now);
  int64_t sampling = std::exchange(ended_cost_ns_, 0) + now.own_session - before.own_session;
  if (before.time == 0) return false;  // the start's cost does not count
  return budget_.measure({sampling, now.own_thread - before.own_thread, static_cast<int64_t>(now.time - before.time),
                          now.process - before.process});
}

// The session that samples the event for the store; null: none does.
const session::ProfileSession* AlwaysOn::session_of(const char* event) const {
  auto has = [event](const BorrowedSession& loan) {
    return std::find(loan.events.begin(), loan.events.end(), event) != loan.events.end();
  };
  if (own_.session && has(own_)) return own_.session.get();
  auto found = std::find_if(borrowed_.begin(), borrowed_.end(), has);
  return found == borrowed_.end() ? nullptr : found->session.get();
}

std::string AlwaysOn::reason_to_freeze(JNIEnv* env) {
  if (!recorder_.is_on()) return "";
  return recorder_.reason(env, session_of(profile::kAllocEvent)).value_or("");
}

AlwaysOn::Ended AlwaysOn::turn(JNIEnv* env) {
  Ended ended;
  ended.freeze_reason = reason_to_freeze(env);
  bool is_to_change = should_slow_down();
  bool is_over = capture::now_ns() >= window_ends_ns_;
  if (is_over || !ended.freeze_reason.empty()) ended.window = end_window(env);
  if (own_.session && (is_to_change || has_grown(ended.window.has_value()))) end_own(env);
  // Retries a start that failed before.
  if (!own_.session) rebalance(env);
  set_due();
  return ended;
}

AlwaysOn::Ended AlwaysOn::flush(JNIEnv* env) {
  auto age = static_cast<int64_t>(capture::now_ns() - window_began_ns_);
  bool is_worth_a_file = age >= std::max(kSecond, std::min(10 * kSecond, options_.window_ns / 6));
  return is_worth_a_file ? Ended{end_window(env), ""} : Ended{};
}

void AlwaysOn::put_off() {
  window_ends_ns_ = std::max(window_ends_ns_, capture::now_ns() + kWatchEveryNs);
  set_due();
}

AlwaysOnFigures AlwaysOn::figures() const {
  AlwaysOnFigures figures;
  figures.directory = store_.directory();
  figures.events = options::event_names(options_);
  figures.window_ns = options_.window_ns;
  figures.keep_bytes = store_.most_bytes();
  figures.bytes = store_.bytes();
  figures.written = store_.written();
  figures.lost = store_.lost();
  figures.budget = budget_.share();
  figures.cost = budget_.cost();
  figures.slowdown = budget_.slowdown();
  figures.unsampled = unsampled_;
  return figures;
}

std::string AlwaysOn::status() const {
  std::string events = joined(options::event_names(options_), ", ");
  std::string text = formatted("Always on: {}, windows of {} in {} ({} written", events,
                               profile::duration_text(options_.window_ns), store_.directory(), store_.written());
  if (store_.lost() > 0) text += formatted(", {} lost", store_.lost());
  text += formatted("); costs {:.2f} % of a CPU, of budget={:g}%", 100 * budget_.cost(), 100 * budget_.share());
  if (budget_.slowdown() > 1) text += formatted(", rates {} times lower", budget_.slowdown());
  if (frozen_ > 0) text += formatted("; {} frozen in {}/kept", frozen_.load(), store_.directory());
  if (recorder_.held_back() > 0) text += " (the same reason comes on)";
  for (const BorrowedSession& loan : borrowed_)
    text += formatted("; {} from the session beside", joined(loan.events, ", "));
  if (!unsampled_.empty()) text += "; " + unsampled_;
  if (push_) text += "\n" + push_->status();
  return text;
}

}  // namespace hearth::always_on
