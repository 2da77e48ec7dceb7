// What a session says of its own truth.
#include <algorithm>

#include "base/formatted.h"
#include "profile/amount_text.h"
#include "profile/quality.h"
#include "session/allocation_notes.h"
#include "session/jit_sites.h"
#include "session/profile_session.h"
#include "session/span_labels.h"
#include "session/symbol_gaps.h"

namespace hearth::session {
namespace {

int64_t mean(uint64_t sum, uint64_t count) {
  return count == 0 ? 0 : static_cast<int64_t>(sum / count);
}

}  // namespace

// What handlers took is known of a part of them.
int64_t ProfileSession::own_cpu_ns() const {
  const capture::RecorderCounters& counters = recorder_.counters();
  int64_t handlers = mean(counters.handler_ns, counters.handler_times.count()) * static_cast<int64_t>(counters.handled);
  int64_t sum = handlers + worker_cpu_ns_.load();
  for (const Source& one : sources_) sum += one.source->own_cpu_ns();
  return sum + replaced_cpu_ns_;
}

profile::Quality ProfileSession::quality() const {
  const capture::RecorderCounters& counters = recorder_.counters();
  profile::Quality quality;
  quality.samples = counters.samples - crowded_out_;
  quality.lost = counters.lost + crowded_out_;
  if (!sources_.empty()) quality.lost_weight = lost_weight(sources_.size() - 1);
  quality.java_samples = counters.java_samples;
  quality.whole = counters.whole;
  quality.truncated = counters.truncated;
  quality.recovered = counters.recovered;
  for (int i = 0; i < static_cast<int>(capture::Marker::kCount); i++) {
    uint64_t count = counters.failures[i];
    if (count > 0) quality.failures[marker_word(static_cast<capture::Marker>(i))] = count;
  }
  if (counters.root_missing > 0) quality.failures["root_missing"] = counters.root_missing;
  quality.walk_ns_mean = mean(counters.walk_ns, counters.walk_times.count());
  quality.handler_ns_mean = mean(counters.handler_ns, counters.handler_times.count());
  quality.walk_ns_p50 = static_cast<int64_t>(counters.walk_times.quantile(0.5));
  quality.walk_ns_p99 = static_cast<int64_t>(counters.walk_times.quantile(0.99));
  quality.handler_ns_p50 = static_cast<int64_t>(counters.handler_times.quantile(0.5));
  quality.handler_ns_p99 = static_cast<int64_t>(counters.handler_times.quantile(0.99));
  quality.own_cpu_ns = own_cpu_ns();
  quality.engine = engine();
  quality.threads_cpu_ns = follower_ && is_always_open() ? follower_->threads_cpu_ns() : 0;
  {
    std::lock_guard<std::mutex> lock(notes_mutex_);
    quality.notes = notes_;
  }
  // Code allocates at its safepoints.
  if (options_.cpu || options_.wall_interval_ns > 0)
    quality.notes.insert(quality.notes.end(), vm_->interruption_notes.begin(), vm_->interruption_notes.end());
  if (int64_t threshold = live_.threshold(); threshold > 0)
    quality.notes.push_back(formatted(
        "live follows a part of the sampled objects, as there are too many: of those that stand for less than {} some",
        profile::interval_text(threshold, "bytes")));
  if (uint64_t missed = live_.missed(); missed > 0)
    quality.notes.push_back(
        formatted("live did not follow {} sampled objects: there was no memory, or a thread was suspended", missed));
  if (uint64_t refused = classes_.refused(); refused > 0)
    quality.notes.push_back(
        formatted("{} sampled objects are of [unknown] class: there are more class names than a session keeps ({})",
                  refused, capture::NameTable::kMost));
  for (std::string& note : vm_->labels.notes()) quality.notes.push_back(std::move(note));
  for (std::string& note : vm_->unseen_spans.notes()) quality.notes.push_back(std::move(note));
  for (std::string& note : span_notes({counts_.in_other_spans(), counters.torn_spans}))
    quality.notes.push_back(std::move(note));
  if (!follower_) return quality;
  for (std::string& trouble : follower_->troubles())
    if (std::find(quality.notes.begin(), quality.notes.end(), trouble) == quality.notes.end())
      quality.notes.push_back(std::move(trouble));
  if (!window_.trouble().empty()) quality.notes.push_back(window_.trouble());
  return quality;
}

ProfileSession::Allocated ProfileSession::allocated() const {
  int64_t bytes = sampled_bytes_;
  if (alloc_number_ >= 0) bytes += lost_weight(static_cast<size_t>(alloc_number_.load()));
  return {bytes, options_.allocation_interval && running_ ? collections_.figures().pause_ns : 0};
}

std::map<std::string, int64_t> ProfileSession::lost_weights() const {
  std::map<std::string, int64_t> weights;
  for (size_t event = 0; event < sources_.size(); event++) weights[sources_[event].event] = lost_weight(event);
  return weights;
}

profile::Quality ProfileSession::full_quality() {
  drain();
  std::unique_lock<std::mutex> lock(counts_mutex_);
  SamplesByPc code = innermost_code(tree_, counts_);
  bool is_exact = options_.allocation_interval == 0 && alloc_number_ >= 0;
  JitSites sites = is_exact ? jit_sites(tree_, counts_, static_cast<uint16_t>(alloc_number_)) : JitSites();
  lock.unlock();
  profile::Quality full = quality();
  full.without_symbols = samples_without_symbols(code, vm_);
  if (is_exact) full.notes.push_back(exact_note(sites));
  add_allocations(&full);
  return full;
}

void ProfileSession::add_allocations(profile::Quality* quality) const {
  if (!options_.allocation_interval) return;
  // The JVM's counters know no window.
  if (is_always_open()) {
    quality->allocated_by_thread = account_.by_thread(hooks_.java_threads);
    quality->allocated_bytes = profile::sum_of(quality->allocated_by_thread);
  }
  quality->sampled_bytes = static_cast<uint64_t>(allocated().bytes);
  events::CollectionCost::Figures collections = collections_.figures();
  quality->gc_pauses = collections.pauses;
  quality->gc_pause_ns = collections.pause_ns;
  quality->gc_cpu_ns = collections.cpu_ns;
  quality->process_cpu_ns = collections.process_cpu_ns;
  if (alloc_number_ < 0) return;
  const Source& source = sources_[static_cast<size_t>(alloc_number_)];
  // Of a session's samples most may be of other events.
  uint64_t samples =
      source.interval > 0 ? quality->allocated_bytes / static_cast<uint64_t>(source.interval) : quality->samples;
  AllocationFacts facts = {samples, registry_.begun() - begun_before_,
                           source.source->engine() != events::kTlabEngine && source.interval > 0};
  for (std::string& note : allocation_notes(*quality, facts)) quality->notes.push_back(std::move(note));
}

}  // namespace hearth::session
