// From what was counted to the profile that a person asked for: of the whole session, or from a mark on.
#include <algorithm>

#include "profile/event_view.h"
#include "profile/preorder_builder.h"
#include "profile/quality.h"
#include "session/comparison_report.h"
#include "session/frame_namer.h"
#include "session/model_builder.h"
#include "session/profile_session.h"
#include "session/tlab_step.h"

namespace hearth::session {

EventColumns ProfileSession::columns() const {
  std::vector<EventColumns::Event> events;
  std::unique_lock<std::mutex> lock(counts_mutex_);
  for (const Source& one : sources_) {
    bool is_tlab = one.source->engine() == events::kTlabEngine;
    auto number = static_cast<uint16_t>(events.size());
    events.push_back({one.event, is_tlab ? tlab_step(tree_, counts_, number, one.interval) : one.interval});
  }
  lock.unlock();
  if (options_.live) events.push_back({profile::kLiveEvent, *options_.allocation_interval, live_.threshold()});
  return EventColumns(events);
}

int64_t ProfileSession::lost_weight(size_t event) const {
  return recorder_.counters().lost_weight[event] + crowded_out_weight_[event];
}

SessionMark ProfileSession::mark() {
  drain();
  for (const Source& one : sources_) one.source->hand_over();
  SessionMark mark;
  mark.duration_ns = duration_ns();
  mark.quality = full_quality();
  mark.paused_ns = paused_ns();
  std::lock_guard<std::mutex> lock(counts_mutex_);
  mark.counts = counts_.counts();
  mark.lost = all_lost();
  return mark;
}

// A copy: naming takes long, and the worker must go on draining.
std::vector<SampleCounts::Part> ProfileSession::counts_of(JNIEnv* env, const SessionPart& part, int64_t* step_ns) {
  std::vector<SampleCounts::Part> counts;
  {
    std::lock_guard<std::mutex> lock(counts_mutex_);
    counts = part.by_time ? counts_.by_time() : counts_.since(part.since.counts);
    if (part.next != nullptr) part.next->counts = counts_.counts();
    *step_ns = part.by_time ? counts_.step_ns() : 0;
  }
  auto is_left_out = [&](const SampleCounts::Part& one) { return !part.has(sources_[one.key.event].event); };
  counts.erase(std::remove_if(counts.begin(), counts.end(), is_left_out), counts.end());
  if (!options_.live || !part.has(profile::kLiveEvent)) return counts;
  auto live_event = static_cast<uint16_t>(sources_.size());
  std::vector<SampleCounts::Part> living = live_.samples(vm_->jvmti, env, live_event, part.live);
  counts.insert(counts.end(), living.begin(), living.end());
  return counts;
}

profile::Profile ProfileSession::model(JNIEnv* env, const Options& output, const SessionPart& part) {
  const SessionMark& since = part.since;
  drain();
  profile::Profile profile;
  for (const Source& one : sources_) {
    one.source->hand_over();
    profile.metadata.interval = one.interval;
  }
  EventColumns columns = this->columns();
  profile.value_types = columns.value_types();
  profile.metadata.event = events();
  profile.metadata.start_unix_ns = began_unix_ns_ + since.duration_ns;
  int64_t until_ns = duration_ns();
  profile.metadata.duration_ns = until_ns - since.duration_ns;
  profile.metadata.producer = "hearth " HEARTH_VERSION;
  profile.metadata.runtime = vm_->runtime;
  profile.metadata.title = output.write.title;
  profile::Quality full = full_quality();
  profile.quality = profile::quality_since(since.quality, full);
  if (!part.has(profile::kAllocEvent)) profile::forget_allocations(&profile.quality);
  for (std::string& note : pause_notes(part)) profile.quality.notes.push_back(std::move(note));
  std::vector<SampleCounts::Part> counts = counts_of(env, part, &profile.metadata.time_step_ns);
  std::vector<SampleCounts::Count> lost = all_lost();
  FrameNamer namer(vm_, env, output, {&plan_.virtual_threads, &classes_}, &profile);
  build_model({tree_, follower_->threads(), vm_->labels, recorder_.spans()}, counts, output, &namer, columns, &profile);
  add_lost(lost, columns, part, &namer, &profile);
  if (plan_.java_style == capture::JavaStyle::kCompare) {
    const capture::Comparison& comparison = recorder_.comparison();
    profile.quality.notes.push_back(comparison_summary(comparison));
    log_->info(comparison_summary(comparison) + "\n" + comparison_examples(comparison, tree_, &namer, profile));
  }
  profile.pack();
  if (part.next == nullptr) return profile;
  part.next->quality = std::move(full);
  part.next->duration_ns = until_ns;
  part.next->paused_ns = paused_ns();
  part.next->lost = std::move(lost);
  return profile;
}

SampleCounts::Count ProfileSession::lost_of(size_t event) const {
  // How many samples were lost is not known event by event, so it counts once, beside the first event's weight.
  const capture::RecorderCounters& counters = recorder_.counters();
  auto samples = event == 0 ? static_cast<int64_t>(counters.lost + crowded_out_) : 0;
  return {samples, lost_weight(event), static_cast<double>(counters.lost_objects[event] + crowded_out_objects_[event])};
}

std::vector<SampleCounts::Count> ProfileSession::all_lost() const {
  std::vector<SampleCounts::Count> lost;
  for (size_t event = 0; event < sources_.size(); event++) lost.push_back(lost_of(event));
  return lost;
}

void ProfileSession::add_lost(const std::vector<SampleCounts::Count>& all, const EventColumns& columns,
                              const SessionPart& part, FrameNamer* namer, profile::Profile* profile) const {
  std::vector<int64_t> values(profile->value_types.size());
  for (uint16_t event = 0; event < sources_.size(); event++) {
    if (!part.has(sources_[event].event)) continue;
    SampleCounts::Count lost = all[event];
    if (event < part.since.lost.size()) lost -= part.since.lost[event];
    columns.add(event, lost, &values);
  }
  bool is_nothing = std::all_of(values.begin(), values.end(), [](int64_t value) { return value == 0; });
  if (is_nothing) return;
  auto lost = namer->location(capture::Frame::marker(capture::Marker::kLost));
  profile::PreorderBuilder stacks(profile, true);
  stacks.add(stacks.child(0, lost), 0, values.data(), profile::kNoTime);
}

}  // namespace hearth::session
