#include "always_on/store_sources.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "always_on/wanted_events.h"
#include "base/error.h"
#include "base/formatted.h"
#include "capture/recorder.h"
#include "events/profiling_signal.h"
#include "naming/session_profile.h"
#include "options/sampled_events.h"
#include "profile/model/event_view.h"

namespace hearth::always_on {
namespace {

template <typename T>
bool contains(const std::vector<T>& all, const T& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

// Whether these events have the allocations of an event of live memory.
bool lives_of(const std::vector<std::string>& events, std::string_view live) {
  bool is_native = live == profile::kNativeLiveEvent;
  return contains(events, std::string(is_native ? profile::kNativeMemoryEvent : profile::kAllocEvent));
}

}  // namespace

bool is_always_on(const session::ProfileSession& session) {
  return session.options().always_on;
}

void StoreSources::start(JNIEnv* env) {
  for (const SessionPtr& session : callbacks_.sessions()) known_sessions_.push_back(session->began_ns());
  rebalance(env);
  if (!own_.session && borrowed_.empty()) throw Error(unsampled_.empty() ? "nothing can be sampled" : unsampled_);
}

void StoreSources::collect(Source* source, JNIEnv* env) {
  session::SessionSnapshot next;
  session::ProfileRange range;
  range.since = source->since;
  range.events = source->events;
  // Live memory is an event of its own there, and comes with that of the allocations.
  for (const char* live : options::live_events(source->session->options()))
    if (lives_of(source->events, live)) range.events.emplace_back(live);
  range.live = session::LiveProfile::As::kLastCollected;
  range.dates_live = true;
  range.next = &next;
  profile::Profile profile = naming::profile_of(source->session.get(), env, *options_, range);
  bool is_own = is_always_on(*source->session);
  window_.add(is_own ? std::move(profile) : profile::only_events(profile, range.events));
  source->since = std::move(next);
}

void StoreSources::collect_all(JNIEnv* env) {
  if (own_.session) collect(&own_, env);
  for (Source& loan : borrowed_) collect(&loan, env);
}

std::optional<profile::Profile> StoreSources::take() {
  if (window_.is_empty()) return std::nullopt;
  return window_.take();
}

void StoreSources::begin_own(const options::Options& rest, JNIEnv* env) {
  options::Options taken = rest;
  try {
    own_.session = callbacks_.begin(taken, before_, env);
  } catch (const Error& error) {
    // Other sessions may use all signals. JDK 8 samples no allocations, and another agent may be sampling them.
    bool lacks_signal = dynamic_cast<const events::NoFreeSignal*>(&error) != nullptr;
    taken = lacks_signal ? options::without_clocks(rest) : options::without_allocations(rest);
    if (options::event_names(taken) == options::event_names(rest) || options::samples_nothing(taken)) throw;
    own_.session = callbacks_.begin(taken, before_, env);
    unsampled_ = formatted("{} missing: {}", lacks_signal ? "clocks are" : "allocations are", error.what());
  }
  own_.events = options::event_names(taken);
  own_.since = {};
  own_began_ns_ = capture::now_ns();
}

// Without naming, which takes long.
StoreSources::Source StoreSources::stop_own() {
  Source ended = std::exchange(own_, {});
  callbacks_.end(ended.session.get());
  ended_cpu_ns_ += ended.session->own_cpu_ns();
  before_ = ended.session;
  return ended;
}

void StoreSources::end_own(JNIEnv* env) {
  if (!own_.session) return;
  Source ended = stop_own();
  collect(&ended, env);
}

void StoreSources::release_resources_for(const options::Options& wanted, JNIEnv* env) {
  if (own_.session && is_in_the_way(own_.session->options(), wanted)) end_own(env);
}

void StoreSources::adopt_resumed(const SessionPtr& session, const options::Options& resumed) {
  if (!options::samples_all(session->options())) return;
  Source* known = loan_of(session);
  std::vector<std::string> of_others;
  for (const Source& loan : borrowed_)
    if (&loan != known) of_others.insert(of_others.end(), loan.events.begin(), loan.events.end());
  std::vector<std::string> lent = known == nullptr ? std::vector<std::string>() : known->events;
  std::vector<std::string> events = lent_after_resume(*options_, resumed, lent, of_others);
  if (known != nullptr)
    known->events = events;
  else if (!events.empty())
    borrowed_.push_back({session, events, naming::take_snapshot(session.get())});
}

bool StoreSources::release_clock(JNIEnv* env) {
  if (!own_.session || !options::has_clock(own_.session->options())) return false;
  end_own(env);
  return true;
}

StoreSources::Source* StoreSources::loan_of(const SessionPtr& session) {
  auto found =
      std::find_if(borrowed_.begin(), borrowed_.end(), [&](const Source& loan) { return loan.session == session; });
  return found == borrowed_.end() ? nullptr : &*found;
}

StoreSources::Plan StoreSources::plan(JNIEnv* env) {
  Plan plan;
  plan.rest = options::with_longer_intervals(*options_, budget_->slowdown());
  for (const SessionPtr& session : callbacks_.sessions()) {
    plan.sessions.push_back(session->began_ns());
    if (!session->running() || session == own_.session) continue;
    Share share = share_of(plan.rest, *options_, session->sampled());
    if (share.keeps_some)
      plan.missing = formatted("{} keeps the store from sampling some of its events", session->events());
    plan.rest = std::move(share.rest);
    Source* known = loan_of(session);
    if (known != nullptr && known->events != share.lent) collect(known, env);  // the events that it lent until now
    if (share.lent.empty()) continue;
    bool starts_now = known == nullptr && contains(known_sessions_, session->began_ns());
    plan.loans.push_back({session, std::move(share.lent),
                          starts_now ? naming::take_snapshot(session.get()) : session::SessionSnapshot()});
  }
  return plan;
}

// Throws nothing, so the loans that stay keep their `since`.
void StoreSources::take_loans(std::vector<Source> loans) {
  for (Source& loan : loans)
    if (Source* known = loan_of(loan.session)) std::swap(loan.since, known->since);
  borrowed_.swap(loans);
}

void StoreSources::restart_own(const options::Options& rest, JNIEnv* env) {
  bool samples_rest = own_.session ? own_.events == options::event_names(rest) : options::samples_nothing(rest);
  if (samples_rest) return;
  end_own(env);
  try {
    if (!options::samples_nothing(rest)) begin_own(rest, env);
  } catch (const std::exception& error) {
    unsampled_ = formatted("{} is missing: {}", joined(options::event_names(rest), ", "), error.what());
  }
}

void StoreSources::rebalance(JNIEnv* env) {
  for (Source& loan : borrowed_)
    if (!loan.session->running()) collect(&loan, env);
  Plan next = plan(env);
  take_loans(std::move(next.loans));
  known_sessions_.swap(next.sessions);
  unsampled_ = next.missing;
  restart_own(next.rest, env);
  before_.reset();
  if (!unsampled_.empty() && unsampled_ != std::exchange(logged_, unsampled_)) log_->warn("the store: " + unsampled_);
}

bool StoreSources::has_own_grown(bool is_window_over) const {
  OwnSessionSize size;
  size.age_ns = capture::now_ns() - own_began_ns_;
  if (is_too_young_to_replace(size.age_ns)) return false;
  size.spans = own_.session->capture().recorder.spans().used();
  for (const auto& [part, bytes] : own_.session->memory()) size.bytes += bytes;
  return has_grown(size, is_window_over);
}

void StoreSources::renew_own(bool rates_change, bool is_window_over, JNIEnv* env) {
  Source ended;
  if (own_.session && (rates_change || has_own_grown(is_window_over))) ended = stop_own();
  if (!own_.session) rebalance(env);
  if (ended.session) collect(&ended, env);  // after the next one has begun, which misses less
}

const session::ProfileSession* StoreSources::session_of(const std::string& event) const {
  if (own_.session && contains(own_.events, event)) return own_.session.get();
  auto found = std::find_if(borrowed_.begin(), borrowed_.end(),
                            [&](const Source& loan) { return contains(loan.events, event); });
  return found == borrowed_.end() ? nullptr : found->session.get();
}

int64_t StoreSources::own_cpu_ns() const {
  return ended_cpu_ns_ + (own_.session ? own_.session->own_cpu_ns() : 0);
}

std::vector<std::vector<std::string>> StoreSources::lent() const {
  std::vector<std::vector<std::string>> lent;
  for (const Source& loan : borrowed_) lent.push_back(loan.events);
  return lent;
}

}  // namespace hearth::always_on
