#include "always_on/always_on.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "base/clocks.h"
#include "base/error.h"
#include "base/formatted.h"
#include "capture/recorder.h"
#include "options/file_pattern.h"
#include "options/sampled_events.h"
#include "profile/formats/amount_text.h"
#include "profile/model/event_view.h"
#include "push/connection.h"

namespace hearth::always_on {
namespace {

constexpr uint64_t kTriggerPeriodNs = 1'000'000'000;

// Checks also the files that hold a token or credentials, and what TLS needs.
std::optional<options::PushTarget> checked_push_target(const options::Options& options,
                                                       const AlwaysOn::Callbacks& callbacks) {
  if (options.push.empty()) return std::nullopt;
  options::PushTarget target = push_target(options, callbacks.jvm());
  push::check_token(target);
  push::check_tls(target);
  return target;
}

}  // namespace

AlwaysOn::AlwaysOn(const options::Options& options, Log* log, vm::Vm* vm, Callbacks callbacks)
    : options_(options),
      log_(log),
      callbacks_(std::move(callbacks)),
      push_target_(checked_push_target(options_, callbacks_)),
      store_(options::expand_file_pattern(options.store, 1), options.keep.value_or(options::StoreLimits()).bytes,
             [log](const std::string& line) { log->warn(line); }),
      cost_(options.budget),
      recorder_(options.triggers, vm),
      sources_(&options_, &cost_.budget(), log, callbacks_.sources),
      clock_(options.window_ns) {}

void AlwaysOn::start(JNIEnv* env) {
  recorder_.start(env);
  begin_window();
  sources_.start(env);
  if (!push_target_) return;
  push::PushLoop::Callbacks push_callbacks = {callbacks_.own_thread_begins, callbacks_.own_thread_ends,
                                              [log = log_](const std::string& line) { log->warn(line); }};
  push_ = std::make_unique<push::PushLoop>(*push_target_, store_.directory(), push_callbacks);
}

void AlwaysOn::stop(JNIEnv* env) {
  std::string reason = reason_to_freeze(nullptr);  // as when the JVM ends for that reason
  sources_.end_own(env);
  write({end_window(env), reason});
  sources_.drop_loans();
  if (push_) push_->finish();
}

void AlwaysOn::begin_window() {
  clock_.begin({clock_ns(CLOCK_REALTIME), capture::now_ns()});
  set_due();
}

void AlwaysOn::set_due() {
  uint64_t period_ns = recorder_.is_on() ? kTriggerPeriodNs : CostMeter::kPeriodNs;
  due_ns_ = std::min(clock_.ends_ns(), capture::now_ns() + period_ns);
}

std::optional<profile::Profile> AlwaysOn::end_window(JNIEnv* env) {
  sources_.collect_all(env);
  WindowClock::Time began = clock_.began();
  begin_window();
  std::optional<profile::Profile> profile = sources_.take();
  if (!profile) return profile;
  profile->metadata.start_unix_ns = began.unix_ns;
  profile->metadata.duration_ns = static_cast<int64_t>(clock_.began().ns - began.ns);
  std::vector<std::string>& notes = profile->quality.notes;
  if (!sources_.unsampled().empty()) notes.push_back(sources_.unsampled());
  const OverheadBudget& budget = cost_.budget();
  if (budget.slowdown() > 1)
    notes.push_back(formatted("rates are {} times lower than asked for, to hold budget={:g}%", budget.slowdown(),
                              100 * budget.share()));
  return profile;
}

void AlwaysOn::write(const Ended& ended) {
  if (ended.window) {
    std::string name = store_.add(*ended.window);
    if (push_ && !name.empty()) push_->window_written(name);
  }
  const std::string& reason = ended.freeze_reason;
  if (reason.empty()) return;
  int64_t now_ns = clock_ns(CLOCK_REALTIME);
  try {
    std::string file = store_.keep({now_ns - options_.freeze_ns, now_ns}, reason);
    frozen_++;
    log_->warn(formatted("{}; the windows of the last {} are kept in {}", reason,
                         profile::duration_text(options_.freeze_ns), file));
  } catch (const std::exception& error) {
    log_->error(formatted("{}; but nothing could be kept: {}", reason, error.what()));
  }
}

bool AlwaysOn::should_change_rates() {
  uint64_t now_ns = capture::now_ns();
  if (!cost_.is_due(now_ns)) return false;
  int64_t rest_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) + (push_ ? push_->cpu_ns() : 0);
  return cost_.measure({now_ns, sources_.own_cpu_ns(), rest_ns, clock_ns(CLOCK_PROCESS_CPUTIME_ID)});
}

std::string AlwaysOn::reason_to_freeze(JNIEnv* env) {
  if (!recorder_.is_on()) return "";
  return recorder_.reason(env, sources_.session_of(profile::kAllocEvent)).value_or("");
}

AlwaysOn::Ended AlwaysOn::turn(JNIEnv* env) {
  Ended ended;
  ended.freeze_reason = reason_to_freeze(env);
  bool rates_change = should_change_rates();
  if (clock_.is_over(capture::now_ns()) || !ended.freeze_reason.empty()) ended.window = end_window(env);
  sources_.renew_own(rates_change, ended.window.has_value(), env);
  set_due();
  return ended;
}

AlwaysOn::Ended AlwaysOn::flush(JNIEnv* env) {
  return clock_.is_worth_a_file(capture::now_ns()) ? Ended{end_window(env), ""} : Ended{};
}

void AlwaysOn::put_off() {
  constexpr uint64_t kDelayNs = 1'000'000'000;
  clock_.prolong_to(capture::now_ns() + kDelayNs);
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
  figures.budget = cost_.budget().share();
  figures.cost = cost_.budget().cost();
  figures.slowdown = cost_.budget().slowdown();
  figures.unsampled = sources_.unsampled();
  return figures;
}

std::string AlwaysOn::status() const {
  const OverheadBudget& budget = cost_.budget();
  std::string events = joined(options::event_names(options_), ", ");
  std::string text = formatted("Always on: {}, windows of {} in {} ({} written", events,
                               profile::duration_text(options_.window_ns), store_.directory(), store_.written());
  if (store_.lost() > 0) text += formatted(", {} lost", store_.lost());
  text += formatted("); costs {:.2f} % of a CPU, of budget={:g}%", 100 * budget.cost(), 100 * budget.share());
  if (budget.slowdown() > 1) text += formatted(", rates {} times lower", budget.slowdown());
  if (frozen_ > 0) text += formatted("; {} frozen in {}/kept", frozen_.load(), store_.directory());
  if (recorder_.held_back() > 0) text += " (the same reason comes on)";
  for (const std::vector<std::string>& lent : sources_.lent())
    text += formatted("; {} from another session", joined(lent, ", "));
  if (!sources_.unsampled().empty()) text += "; " + sources_.unsampled();
  if (push_) text += "\n" + push_->status();
  return text;
}

}  // namespace hearth::always_on
