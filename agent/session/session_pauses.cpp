// One event of a running session goes, and comes again, while others go on. What samples is made anew each time.
#include <algorithm>

#include "base/error.h"
#include "base/formatted.h"
#include "profile/amount_text.h"
#include "profile/event_view.h"
#include "session/profile_session.h"
#include "session/sampled_events.h"

namespace hearth::session {

ProfileSession::Source& ProfileSession::source_of(const std::string& event) {
  auto found = std::find_if(sources_.begin(), sources_.end(), [&](const Source& one) { return one.event == event; });
  if (found == sources_.end()) throw Error(formatted("the session does not sample {}", event));
  return *found;
}

// What went wrong with it stays known, also when another one has taken its place.
void ProfileSession::pause_source(Source* one) {
  int own = one->source->own_tid();
  follower_->let_go(one->source.get());
  if (!one->source->is_left()) stay();
  one->source->stop();
  tell_own_thread(own, false);
  one->paused_at_ns = capture::now_ns();
  std::string trouble = one->source->trouble();
  std::lock_guard<std::mutex> lock(notes_mutex_);
  if (!trouble.empty() && std::find(notes_.begin(), notes_.end(), trouble) == notes_.end())
    notes_.push_back(std::move(trouble));
}

bool ProfileSession::pause(const std::string& event) {
  Source& one = source_of(event);
  if (one.paused_at_ns != 0) return false;
  std::lock_guard<std::mutex> lock(pauses_mutex_);
  if (event == profile::kAllocEvent) {
    account_.end(hooks_.java_threads);
    collections_.stop();
  }
  pause_source(&one);
  return true;
}

bool ProfileSession::resume(const std::string& event) {
  Source& one = source_of(event);
  if (one.paused_at_ns == 0) return false;
  std::lock_guard<std::mutex> lock(pauses_mutex_);
  if (has_given_up_breakpoints_ && one.source->engine() == events::kTlabEngine)
    throw Error("tlab has no breakpoints any more: a thread of this JVM blocks SIGTRAP",
                "use event=alloc without tlab");
  bool is_alloc = event == profile::kAllocEvent;
  if (is_alloc) follower_->forget_allocations();
  held_.reserve(held_.size() + 1);
  std::unique_ptr<events::EventSource> fresh = one.make();
  fresh->start(plan_of(static_cast<size_t>(&one - sources_.data()), one.interval));
  replaced_cpu_ns_ += one.source->own_cpu_ns();
  one.source.swap(fresh);
  if (!fresh->is_left()) held_.push_back(std::move(fresh));
  one.paused_ns += static_cast<int64_t>(capture::now_ns() - std::exchange(one.paused_at_ns, 0));
  try {
    follower_->exclude(one.source->own_tid());
    tell_own_thread(one.source->own_tid(), true);
    follower_->take_up(one.source.get());
    if (is_alloc) collections_.start(vm_->java_vm);
    if (is_alloc) account_.begin(hooks_.java_threads);
    follower_->scan();
  } catch (...) {
    if (is_alloc) account_.end(hooks_.java_threads);
    if (is_alloc) collections_.stop();
    pause_source(&one);
    throw;
  }
  return true;
}

std::vector<std::string> ProfileSession::paused() const {
  std::vector<std::string> events;
  if (!running_) return events;
  for (const Source& one : sources_)
    if (one.paused_at_ns != 0) events.emplace_back(one.event);
  return events;
}

Options ProfileSession::sampled() const {
  Options sampled = options_;
  for (const std::string& event : paused()) sampled = without_event(std::move(sampled), event);
  return sampled;
}

std::vector<int64_t> ProfileSession::paused_ns() const {
  std::vector<int64_t> all;
  uint64_t until_ns = running_ ? capture::now_ns() : ended_ns_;
  for (const Source& one : sources_)
    all.push_back(one.paused_ns + (one.paused_at_ns == 0 ? 0 : static_cast<int64_t>(until_ns - one.paused_at_ns)));
  return all;
}

std::vector<std::string> ProfileSession::pause_notes(const SessionPart& part) const {
  std::vector<std::string> notes;
  std::vector<int64_t> all = paused_ns();
  for (size_t event = 0; event < sources_.size(); event++) {
    int64_t ns = all[event] - (event < part.since.paused_ns.size() ? part.since.paused_ns[event] : 0);
    if (ns <= 0 || !part.has(sources_[event].event)) continue;
    notes.push_back(formatted("{} was paused for {} of {}; rates are of all that time", sources_[event].event,
                              profile::duration_text(ns),
                              profile::duration_text(duration_ns() - part.since.duration_ns)));
  }
  return notes;
}

}  // namespace hearth::session
