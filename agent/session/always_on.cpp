#include "session/always_on.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"
#include "capture/recorder.h"
#include "events/profiling_signal.h"
#include "events/thread_clock.h"
#include "profile/amount_text.h"
#include "profile/event_view.h"
#include "session/file_pattern.h"
#include "session/sampled_events.h"
#include "session/store_push.h"

namespace hearth::session {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr uint64_t kMeasureEveryNs = 10 * kSecond;
constexpr uint64_t kWatchEveryNs = kSecond;
constexpr uint64_t kOldestNs = 3600ull * kSecond;
constexpr uint64_t kYoungestNs = 60ull * kSecond;  // to begin takes time, too
constexpr int64_t kMostMemory = 24 << 20;          // of the session before it makes place for another

}  // namespace

bool is_always_on(const ProfileSession& session) {
  return session.options().always_on;
}

RoomInStore::RoomInStore(AlwaysOn* store, const Options& wanted, JNIEnv* env) : store_(store), env_(env) {
  if (store_ != nullptr) store_->make_room(wanted, env);
}

// Without an attached thread nothing can be named.
RoomInStore::RoomInStore(AlwaysOn* store, JNIEnv* env) : store_(env == nullptr ? nullptr : store), env_(env) {}

RoomInStore::~RoomInStore() {
  if (store_ == nullptr) return;
  try {
    store_->settle(env_);
  } catch (const std::exception& error) {
    store_->log().error(error.what());
  }
}

AlwaysOn::AlwaysOn(const Options& options, Log* log, Vm* vm, Doors doors)
    : options_(options),
      log_(log),
      doors_(std::move(doors)),
      store_(expand_file_pattern(options.store, 1), options.keep.value_or(StoreLimits()).bytes,
             [log](const std::string& line) { log->warn(line); }),
      budget_(options.budget),
      recorder_(options.triggers, vm) {}

void AlwaysOn::start(JNIEnv* env) {
  recorder_.start(env);
  begin_window();
  begins_ = true;
  settle(env);
  begins_ = false;
  if (!own_.session && taps_.empty()) throw Error(unsampled_.empty() ? "nothing can be sampled" : unsampled_);
  if (options_.push.empty()) return;
  push::PushLoop::Doors doors = {doors_.own_thread_begins, doors_.own_thread_ends,
                                 [log = log_](const std::string& line) { log->warn(line); }};
  push_ = std::make_unique<push::PushLoop>(push_target(options_, doors_.jvm()), store_.directory(), doors);
}

void AlwaysOn::stop(JNIEnv* env) {
  std::string reason = reason_to_freeze(nullptr);  // as the JVM ends of it
  end_own(env);
  write({end_window(env), reason});
  taps_.clear();
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

// Where something is thrown the next window has what this one should have had.
void AlwaysOn::collect(Tap* tap, JNIEnv* env) {
  SessionMark next;
  SessionPart part;
  part.since = tap->since;
  part.events = tap->events;
  part.next = &next;
  profile::Profile profile = tap->session->model(env, options_, part);
  bool is_own = is_always_on(*tap->session);
  window_.add(is_own ? std::move(profile) : profile::only_events(profile, tap->events));
  tap->since = std::move(next);
}

Options AlwaysOn::wanted_now() const {
  Options wanted = options_;
  int64_t slowdown = budget_.slowdown();
  wanted.interval_ns *= slowdown;
  wanted.wall_interval_ns *= slowdown;
  constexpr int64_t kMostBytes = 1 << 30;
  if (wanted.allocation_interval)
    wanted.allocation_interval = std::min(*wanted.allocation_interval * slowdown, kMostBytes);
  if (wanted.lock_interval_ns) wanted.lock_interval_ns = *wanted.lock_interval_ns * slowdown;
  return wanted;
}

void AlwaysOn::begin_own(const Options& rest, JNIEnv* env) {
  Options taken = rest;
  try {
    own_.session = doors_.begin(taken, env);
  } catch (const Error& error) {
    // Sessions may have all signals; JDK 8 samples no allocations, and another agent may be sampling those.
    bool lacks_signal = dynamic_cast<const events::NoFreeSignal*>(&error) != nullptr;
    taken = lacks_signal ? without_clocks(rest) : without_allocations(rest);
    if (event_names(taken) == event_names(rest) || samples_nothing(taken)) throw;
    own_.session = doors_.begin(taken, env);
    unsampled_ = formatted("{} missing: {}", lacks_signal ? "clocks are" : "allocations are", error.what());
  }
  own_.events = event_names(taken);
  own_.since = {};
  own_began_ns_ = capture::now_ns();
  measured_.own_session = 0;
}

void AlwaysOn::end_own(JNIEnv* env) {
  if (!own_.session) return;
  Tap ended = std::exchange(own_, {});
  doors_.end(ended.session.get());  // first: naming takes long, and what came meanwhile would be in no window
  ended_cost_ns_ += ended.session->quality().own_cpu_ns - std::exchange(measured_.own_session, 0);
  collect(&ended, env);
}

void AlwaysOn::make_room(const Options& wanted, JNIEnv* env) {
  if (!own_.session) return;
  const Options& mine = own_.session->options();
  Options left = samples_all(wanted) ? without_events_of(mine, wanted) : without_contended_events(mine, wanted);
  bool is_in_the_way = event_names(left) != own_.events;
  if (has_breakpoints(wanted) || is_in_the_way) end_own(env);
}

void AlwaysOn::expect_from(const std::shared_ptr<ProfileSession>& session, const Options& resumed) {
  if (!samples_all(session->options())) return;
  auto contains = [](const std::vector<std::string>& events, const std::string& event) {
    return std::find(events.begin(), events.end(), event) != events.end();
  };
  std::vector<std::string> of_others, before, events;
  auto known = taps_.end();
  for (auto tap = taps_.begin(); tap != taps_.end(); ++tap) {
    bool is_it = tap->session == session;
    if (is_it) known = tap;
    for (const std::string& event : tap->events) (is_it ? before : of_others).push_back(event);
  }
  for (std::string& event : common_events(options_, resumed))
    if (!contains(of_others, event)) before.push_back(std::move(event));
  for (std::string& event : event_names(options_))  // in the order that settle() compares
    if (contains(before, event)) events.push_back(std::move(event));
  if (known != taps_.end())
    known->events = events;
  else if (!events.empty())
    taps_.push_back({session, events, session->mark()});
}

bool AlwaysOn::gives_way(JNIEnv* env) {
  if (!own_.session || !has_clock(own_.session->options())) return false;
  end_own(env);
  return true;
}

void AlwaysOn::settle(JNIEnv* env) {
  for (Tap& tap : taps_)
    if (!tap.session->running()) collect(&tap, env);
  std::string missing;
  Options rest = wanted_now();
  std::vector<Tap> taps;
  std::vector<Tap*> known_taps;  // of each the one before
  std::vector<uint64_t> seen;
  std::vector<std::shared_ptr<ProfileSession>> sessions = doors_.sessions();
  for (const std::shared_ptr<ProfileSession>& session : sessions) seen.push_back(session->began_ns());
  for (const std::shared_ptr<ProfileSession>& session : sessions) {
    if (!session->running() || owns(*session)) continue;
    Options there = session->sampled();
    bool gives = samples_all(there);
    Options without = has_breakpoints(there) ? without_events_of(rest, options_)
                      : gives                ? without_events_of(rest, there)
                                             : without_contended_events(rest, there);
    std::vector<std::string> given = gives ? common_events(rest, there) : std::vector<std::string>();
    if (event_names(rest).size() > event_names(without).size() + given.size())
      missing = formatted("{} keeps the store from sampling some of its events", session->events());
    rest = without;
    auto known = std::find_if(taps_.begin(), taps_.end(), [&](const Tap& tap) { return tap.session == session; });
    bool is_known = known != taps_.end();
    if (is_known && known->events != given) collect(&*known, env);  // up to now they were its
    if (given.empty()) continue;
    bool is_old = begins_ || std::find(seen_.begin(), seen_.end(), session->began_ns()) != seen_.end();
    known_taps.push_back(is_known ? &*known : nullptr);
    taps.push_back({session, given, !is_known && is_old ? session->mark() : SessionMark()});
  }
  // From here on nothing is thrown: what is taken from the taps before arrives.
  for (size_t i = 0; i < taps.size(); i++)
    if (known_taps[i] != nullptr) std::swap(taps[i].since, known_taps[i]->since);
  taps_.swap(taps);
  seen_.swap(seen);
  unsampled_ = missing;
  bool is_right = own_.session ? own_.events == event_names(rest) : samples_nothing(rest);
  if (!is_right) {
    end_own(env);
    try {
      if (!samples_nothing(rest)) begin_own(rest, env);
    } catch (const std::exception& error) {
      unsampled_ = formatted("{} is missing: {}", joined(event_names(rest), ", "), error.what());
    }
  }
  if (!unsampled_.empty() && unsampled_ != std::exchange(told_, unsampled_)) log_->warn("the store: " + unsampled_);
}

std::optional<profile::Profile> AlwaysOn::end_window(JNIEnv* env) {
  if (own_.session) collect(&own_, env);
  for (Tap& tap : taps_) collect(&tap, env);
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

// A session that has run for long, or seen much, makes place for a new one: its stacks, names, threads and spans go
// with it. Where a window has just ended, as soon as the next might not find room for its spans.
bool AlwaysOn::has_grown(bool is_window_over) const {
  uint64_t age = capture::now_ns() - own_began_ns_;
  if (age < kYoungestNs || age >= kOldestNs) return age >= kOldestNs;
  constexpr uint32_t kMostSpans = capture::SpanTable::kMost;
  if (own_.session->spans() >= (is_window_over ? kMostSpans / 2 : kMostSpans)) return true;
  int64_t bytes = 0;
  for (const auto& [part, taken] : own_.session->memory()) bytes += taken;
  return bytes > kMostMemory;
}

bool AlwaysOn::should_slow_down() {
  if (capture::now_ns() < measured_.time + kMeasureEveryNs) return false;
  Clocks now;
  if (own_.session) now.own_session = own_.session->quality().own_cpu_ns;
  now.own_thread = events::clock_ns(CLOCK_THREAD_CPUTIME_ID) + (push_ ? push_->cpu_ns() : 0);
  now.process = events::clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  now.time = capture::now_ns();
  Clocks before = std::exchange(measured_, now);
  int64_t sampling = std::exchange(ended_cost_ns_, 0) + now.own_session - before.own_session;
  if (before.time == 0) return false;  // the start's cost is none of it
  return budget_.measure({sampling, now.own_thread - before.own_thread, static_cast<int64_t>(now.time - before.time),
                          now.process - before.process});
}

// Of whoever samples that event now; null: nobody does.
const ProfileSession* AlwaysOn::session_of(const char* event) const {
  auto has = [event](const Tap& tap) {
    return std::find(tap.events.begin(), tap.events.end(), event) != tap.events.end();
  };
  if (own_.session && has(own_)) return own_.session.get();
  auto found = std::find_if(taps_.begin(), taps_.end(), has);
  return found == taps_.end() ? nullptr : found->session.get();
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
  // Also what could not be begun before.
  if (!own_.session) settle(env);
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
  figures.events = event_names(options_);
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
  std::string events = joined(event_names(options_), ", ");
  std::string text = formatted("Always on: {}, windows of {} in {} ({} written", events,
                               profile::duration_text(options_.window_ns), store_.directory(), store_.written());
  if (store_.lost() > 0) text += formatted(", {} lost", store_.lost());
  text += formatted("); costs {:.2f} % of a CPU, of budget={:g}%", 100 * budget_.cost(), 100 * budget_.share());
  if (budget_.slowdown() > 1) text += formatted(", rates {} times lower", budget_.slowdown());
  if (frozen_ > 0) text += formatted("; {} frozen in {}/kept", frozen_.load(), store_.directory());
  if (recorder_.held_back() > 0) text += " (the same reason comes on)";
  for (const Tap& tap : taps_) text += formatted("; {} from the session beside", joined(tap.events, ", "));
  if (!unsampled_.empty()) text += "; " + unsampled_;
  if (push_) text += "\n" + push_->status();
  return text;
}

}  // namespace hearth::session
