#include "naming/session_quality.h"

#include <algorithm>
#include <utility>

#include "base/formatted.h"
#include "naming/frame_namer.h"
#include "naming/missing_symbols.h"
#include "naming/notes/allocation_notes.h"
#include "naming/notes/call_notes.h"
#include "naming/notes/escape_analysis_note.h"
#include "naming/notes/withheld_note.h"
#include "naming/span_labels.h"
#include "options/event_table.h"
#include "options/sampled_events.h"
#include "profile/formats/amount_text.h"
#include "profile/model/quality.h"
#include "session/foreign_agent.h"

namespace hearth::naming {
namespace {

using session::SampleCounter;
using session::SampleCounts;
using session::SampleSources;
using session::SessionState;

int64_t mean(uint64_t sum, uint64_t count) {
  return count == 0 ? 0 : static_cast<int64_t>(sum / count);
}

void add_all(std::vector<std::string> notes, std::vector<std::string>* to) {
  std::move(notes.begin(), notes.end(), std::back_inserter(*to));
}

void add_counters(const SessionState& session, profile::Quality* quality) {
  const capture::RecorderCounters& counters = session.capture().recorder.counters();
  const SampleCounter& counter = session.counter();
  quality->samples = counters.samples - counter.dropped_samples();
  quality->lost = counter.lost_samples();
  if (size_t events = session.sources().all().size(); events > 0)
    quality->lost_weight = counter.lost_weight(events - 1);
  quality->java_samples = counters.java_samples;
  quality->whole = counters.whole;
  quality->truncated = counters.truncated;
  quality->recovered = counters.recovered;
  for (int i = 0; i < static_cast<int>(capture::Marker::kCount); i++) {
    uint64_t count = counters.failures[i];
    if (count > 0) quality->failures[marker_word(static_cast<capture::Marker>(i))] = count;
  }
  if (counters.root_missing > 0) quality->failures["root_missing"] = counters.root_missing;
  if (counters.natives_missing > 0) quality->failures["natives_missing"] = counters.natives_missing;
  quality->walk_ns_mean = mean(counters.walk_ns, counters.walk_times.count());
  quality->handler_ns_mean = mean(counters.handler_ns, counters.handler_times.count());
  quality->walk_ns_p50 = static_cast<int64_t>(counters.walk_times.quantile(0.5));
  quality->walk_ns_p99 = static_cast<int64_t>(counters.walk_times.quantile(0.99));
  quality->handler_ns_p50 = static_cast<int64_t>(counters.handler_times.quantile(0.5));
  quality->handler_ns_p99 = static_cast<int64_t>(counters.handler_times.quantile(0.99));
}

void add_live_notes(const session::LiveProfile& live, std::vector<std::string>* notes) {
  if (int64_t threshold = live.threshold(); threshold > 0)
    notes->push_back(formatted("live follows a random part of the sampled objects below {}, as there are too many",
                               profile::interval_text(threshold, "bytes")));
  if (uint64_t missed = live.missed(); missed > 0)
    notes->push_back(
        formatted("live did not follow {} sampled objects: there was no memory, or a thread was suspended", missed));
}

std::vector<std::string> notes_of(const SessionState& session) {
  std::vector<std::string> notes = session.notes();
  const vm::Vm& vm = *session.vm();
  // Allocation samples are taken at safepoints and do not need the parts that these notes report as missing.
  if (options::has_clock(session.options())) add_all(vm.interruption_notes, &notes);
  // Of a store's windows the note would be on all of its time.
  if (!session.options().always_on)
    add_all(withheld_notes(session.capture().withheld.so_far(), session.duration_ns()), &notes);
  add_live_notes(session.live(), &notes);
  if (std::string note = session.live().native()->note(); !note.empty()) notes.push_back(std::move(note));
  if (uint64_t refused = session.capture().classes.refused(); refused > 0)
    notes.push_back(
        formatted("{} sampled objects are of [unknown] class: there are more class names than a session keeps ({})",
                  refused, capture::NameTable::kMost));
  add_all(vm.labels.notes(), &notes);
  add_all(vm.unseen_spans.notes(), &notes);
  add_all(session::ForeignAgent::instance().notes(), &notes);
  add_all(span_notes({session.counter().in_other_spans(), session.capture().recorder.counters().torn_spans}), &notes);
  add_all(call_notes(session.sources().call_counts(), session.options().trace_every), &notes);
  if (auto made = session.sources().exceptions()) notes.push_back(exception_note(*made));
  for (std::string& trouble : session.troubles())
    if (std::find(notes.begin(), notes.end(), trouble) == notes.end()) notes.push_back(std::move(trouble));
  return notes;
}

void add_allocations(const SessionState& session, profile::Quality* quality) {
  if (!options::samples(session.options(), options::Event::kAlloc)) return;
  // The JVM's counters cover all the time, not only that between begin= and end=.
  if (!options::samples_windows_only(session.options())) {
    quality->allocated_by_thread = session.allocations().by_thread();
    quality->allocated_bytes = profile::sum_of(quality->allocated_by_thread);
  }
  quality->sampled_bytes = static_cast<uint64_t>(session.allocated().bytes);
  events::CollectionCost::Figures collections = session.allocations().collections();
  quality->gc_pauses = collections.pauses;
  quality->gc_pause_ns = collections.pause_ns;
  quality->gc_cpu_ns = collections.cpu_ns;
  quality->process_cpu_ns = collections.process_cpu_ns;
  int event = session.counter().allocation_event();
  if (event == SampleCounter::kNoEvent) return;
  const SampleSources::Source& source = session.sources().all()[static_cast<size_t>(event)];
  // Most samples of a session may belong to other events.
  uint64_t samples =
      source.interval > 0 ? quality->allocated_bytes / static_cast<uint64_t>(source.interval) : quality->samples;
  AllocationFacts facts = {samples, session.threads_begun(),
                           source.source->engine() != events::kTlabEngine && source.interval > 0};
  add_all(allocation_notes(*quality, facts), &quality->notes);
}

}  // namespace

profile::Quality quality_of(const SessionState& session) {
  profile::Quality quality;
  add_counters(session, &quality);
  quality.own_cpu_ns = session.own_cpu_ns();
  quality.engine = session.sources().engine();
  const events::ThreadFollower* follower = session.sources().follower();
  if (follower != nullptr && !options::samples_windows_only(session.options()))
    quality.threads_cpu_ns = follower->threads_cpu_ns();
  quality.notes = notes_of(session);
  return quality;
}

profile::Quality full_quality_of(SessionState* session) {
  session->counter()->drain();
  const capture::StackTree& tree = session->capture().tree;
  int event = session->counter()->allocation_event();
  bool is_exact =
      options::interval_of(session->options(), options::Event::kAlloc) == 0 && event != SampleCounter::kNoEvent;
  SamplesByPc code;
  AllocationsByC2 sites;
  session->counter()->read([&](const SampleCounts& counts) {
    code = innermost_code(tree, counts);
    if (is_exact) sites = allocations_by_c2(tree, counts, static_cast<uint16_t>(event));
  });
  profile::Quality full = quality_of(*session);
  full.without_symbols = samples_without_symbols(code, session->vm());
  if (is_exact) full.notes.push_back(escape_analysis_note(sites));
  add_allocations(*session, &full);
  return full;
}

std::vector<std::string> pause_notes(const SessionState& session, const session::ProfileRange& range) {
  std::vector<std::string> notes;
  std::vector<int64_t> all = session.paused_ns();
  for (size_t event = 0; event < all.size(); event++) {
    const std::string& name = session.sources().all()[event].event;
    int64_t ns = all[event] - (event < range.since.paused_ns.size() ? range.since.paused_ns[event] : 0);
    if (ns <= 0 || !range.has(name)) continue;
    notes.push_back(formatted("{} was paused for {} of {}; rates are of all that time", name,
                              profile::duration_text(ns),
                              profile::duration_text(session.duration_ns() - range.since.duration_ns)));
  }
  return notes;
}

}  // namespace hearth::naming
