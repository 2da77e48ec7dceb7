#include "session/sample_sources.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"
#include "capture/recorder.h"
#include "events/profiling_signal.h"
#include "profile/model/event_view.h"

namespace hearth::session {

std::vector<std::string> SampleSources::start(const Spec& spec) {
  std::vector<std::string> refusals;
  for (const Maker& make : spec.makers) {
    try {
      std::unique_ptr<events::EventSource> source = make();
      source->start(hooks_.plan_of(sources_.size(), spec.interval));
      sources_.push_back({std::move(source), spec.event, spec.interval, make});
      break;
    } catch (const events::NoFreeSignal&) {
      throw;
    } catch (const Error& error) {
      if (&make == &spec.makers.back()) throw;
      refusals.emplace_back(error.what());
    }
  }
  return refusals;
}

void SampleSources::follow(events::ThreadRegistry* registry, const options::ThreadFilter* filter,
                           const std::set<int>& excluded) {
  std::vector<events::EventSource*> sources;
  for (const Source& one : sources_) sources.push_back(one.source.get());
  follower_ = std::make_unique<events::ThreadFollower>(sources, registry, filter);
  for (const events::EventSource* source : sources) {
    follower_->exclude(source->own_tid());  // there is no thread 0
    announce_own_thread(source->own_tid(), true);
  }
  for (int tid : excluded) follower_->exclude(tid);
}

void SampleSources::announce_own_thread(int tid, bool begins) const {
  if (tid != 0 && hooks_.own_thread) hooks_.own_thread(tid, begins);
}

void SampleSources::stop_source(Source* one) {
  int own = one->source->own_tid();
  one->source->stop();
  announce_own_thread(own, false);
}

void SampleSources::stop() {
  for (const Source& one : sources_) {
    if (one.paused_at_ns != 0) continue;  // it has been stopped
    one.source->disable();
    if (!one.source->is_quiescent()) hooks_.on_held_thread();
  }
  if (follower_) follower_->finish();
  for (Source& one : sources_)
    if (one.paused_at_ns == 0) stop_source(&one);
}

SampleSources::Source& SampleSources::source_of(const std::string& event) {
  auto found = std::find_if(sources_.begin(), sources_.end(), [&](const Source& one) { return one.event == event; });
  if (found == sources_.end()) throw Error(formatted("the session does not sample {}", event));
  return *found;
}

// Keeps the source's trouble as a note: a new source may replace it.
void SampleSources::pause_source(Source* one) {
  follower_->remove_source(one->source.get());
  if (!one->source->is_quiescent()) hooks_.on_held_thread();
  stop_source(one);
  one->paused_at_ns = capture::now_ns();
  notes_->add_once(one->source->trouble());
}

bool SampleSources::pause(const std::string& event) {
  Source& one = source_of(event);
  if (one.paused_at_ns != 0) return false;
  std::scoped_lock lock(visits_mutex_, counts_mutex_, pauses_mutex_);
  pause_source(&one);
  return true;
}

bool SampleSources::resume(const std::string& event) {
  Source& one = source_of(event);
  if (one.paused_at_ns == 0) return false;
  std::scoped_lock lock(visits_mutex_, counts_mutex_, pauses_mutex_);
  if (breakpoints_forbidden_ && one.source->engine() == events::kTlabEngine)
    throw Error("tlab has no breakpoints any more: a thread of this JVM blocks SIGTRAP",
                "use event=alloc without tlab");
  if (event == profile::kAllocEvent) follower_->forget_allocations();
  retained_sources_.reserve(retained_sources_.size() + 1);
  std::unique_ptr<events::EventSource> fresh = one.make();
  fresh->start(hooks_.plan_of(static_cast<size_t>(&one - sources_.data()), one.interval));
  replaced_cpu_ns_ += one.source->own_cpu_ns();
  one.source.swap(fresh);
  if (!fresh->is_quiescent()) retained_sources_.push_back(std::move(fresh));
  one.paused_ns += static_cast<int64_t>(capture::now_ns() - std::exchange(one.paused_at_ns, 0));
  try {
    follower_->exclude(one.source->own_tid());
    announce_own_thread(one.source->own_tid(), true);
    follower_->add_source(one.source.get());
  } catch (...) {
    pause_source(&one);
    throw;
  }
  return true;
}

std::vector<std::string> SampleSources::paused() const {
  std::vector<std::string> events;
  for (const Source& one : sources_)
    if (one.paused_at_ns != 0) events.emplace_back(one.event);
  return events;
}

std::vector<int64_t> SampleSources::paused_ns(uint64_t until_ns) const {
  std::vector<int64_t> all;
  for (const Source& one : sources_)
    all.push_back(one.paused_ns + (one.paused_at_ns == 0 ? 0 : static_cast<int64_t>(until_ns - one.paused_at_ns)));
  return all;
}

std::string SampleSources::engine() const {
  std::lock_guard<std::mutex> lock(pauses_mutex_);
  std::vector<std::string> engines;
  for (const Source& one : sources_) {
    std::string engine = one.source->engine();
    if (std::find(engines.begin(), engines.end(), engine) == engines.end()) engines.push_back(std::move(engine));
  }
  return joined(engines, " and ");
}

std::vector<events::CallCounts> SampleSources::call_counts() const {
  std::lock_guard<std::mutex> lock(counts_mutex_);
  std::vector<events::CallCounts> all;
  for (const Source& one : sources_)
    for (events::CallCounts& counts : one.source->call_counts()) all.push_back(std::move(counts));
  return all;
}

std::optional<events::MadeExceptions> SampleSources::exceptions() const {
  std::lock_guard<std::mutex> lock(counts_mutex_);
  for (const Source& one : sources_)
    if (auto made = one.source->exceptions()) return made;
  return std::nullopt;
}

int64_t SampleSources::own_cpu_ns() const {
  std::lock_guard<std::mutex> lock(pauses_mutex_);
  int64_t sum = replaced_cpu_ns_;
  for (const Source& one : sources_) sum += one.source->own_cpu_ns();
  return sum;
}

void SampleSources::visit_running(const std::function<void(events::EventSource*)>& visit) {
  std::lock_guard<std::mutex> lock(visits_mutex_);
  for (const Source& one : sources_)
    if (one.paused_at_ns == 0) visit(one.source.get());
}

void SampleSources::flush() const {
  for (const Source& one : sources_) one.source->flush();
}

bool SampleSources::use_breakpoints() const {
  return std::any_of(sources_.begin(), sources_.end(),
                     [](const Source& one) { return one.source->engine() == events::kTlabEngine; });
}

bool SampleSources::remove_breakpoints() {
  bool had_some = false;
  for (const Source& one : sources_) had_some |= one.source->remove_breakpoints();
  return had_some;
}

}  // namespace hearth::session
