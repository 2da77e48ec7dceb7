#include "naming/session_profile.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <utility>
#include <vector>

#include "base/clocks.h"
#include "naming/comparison_report.h"
#include "naming/event_columns.h"
#include "naming/frame_namer.h"
#include "naming/model_builder.h"
#include "naming/session_quality.h"
#include "naming/tlab_interval.h"
#include "options/event_table.h"
#include "options/sampled_events.h"
#include "profile/model/allocation_time.h"
#include "profile/model/event_view.h"
#include "profile/model/preorder_builder.h"
#include "profile/model/quality.h"

namespace hearth::naming {
namespace {

using session::ProfileRange;
using session::SampleCounts;
using session::SampleSources;
using session::SessionState;

// `looked_at_ns`: when live memory is looked at.
EventColumns columns_of(const SessionState& session, const ProfileRange& range, int64_t looked_at_ns) {
  std::vector<EventColumns::Event> events;
  session.counter().read([&](const SampleCounts& counts) {
    for (const SampleSources::Source& one : session.sources().all()) {
      bool is_tlab = one.source->engine() == events::kTlabEngine;
      auto number = static_cast<uint16_t>(events.size());
      events.push_back({one.event, is_tlab
                                       ? tlab_effective_interval(session.capture().tree, counts, number, one.interval)
                                       : one.interval});
    }
  });
  for (const std::string_view event : options::live_events(session.options())) {
    bool is_native = event == profile::kNativeLiveEvent;
    options::Event of = is_native ? options::Event::kNativeMemory : options::Event::kAlloc;
    EventColumns::Event live = {std::string(event), options::interval_of(session.options(), of).value_or(0)};
    if (!is_native) live.threshold = session.live().threshold();
    if (range.has(live.name)) {
      live.followed_since_ns = is_native ? session.live().native()->since_unix_ns() : session.began_unix_ns();
      live.looked_at_ns = looked_at_ns;
    }
    events.push_back(std::move(live));
  }
  return EventColumns(events);
}

std::vector<SampleCounts::Count> lost_of(const SessionState& session) {
  return session.counter().lost(session.sources().all().size());
}

profile::Metadata metadata_of(const SessionState& session, const options::Options& output, int64_t since_ns,
                              int64_t until_ns) {
  profile::Metadata metadata;
  for (const SampleSources::Source& one : session.sources().all()) metadata.interval = one.interval;
  metadata.event = session.events();
  metadata.shown_event = session.options().write.event;
  metadata.start_unix_ns = session.began_unix_ns() + since_ns;
  metadata.duration_ns = until_ns - since_ns;
  metadata.producer = "hearth " HEARTH_VERSION;
  metadata.runtime = session.vm()->runtime;
  metadata.program = session.vm()->program;
  metadata.pid = std::to_string(getpid());
  if (!session.options().redact) metadata.host = session.vm()->host;
  metadata.title = output.write.title;
  return metadata;
}

// Makes the step of an allocation's time its date as of now, in seconds since 1970.
SampleCounts::StepOf dates_of_allocations() {
  constexpr int64_t kSecond = 1'000'000'000;
  int64_t unix_ns = clock_ns(CLOCK_REALTIME);
  uint64_t now_ns = capture::now_ns();
  return [=](uint64_t time_ns) {
    auto age_ns = static_cast<int64_t>(now_ns - time_ns);
    return static_cast<profile::TimeStep>(profile::coarse_allocation((unix_ns - age_ns) / kSecond, unix_ns / kSecond));
  };
}

// Returns a copy: naming takes long, and the worker goes on draining.
std::vector<SampleCounts::Part> counts_of(SessionState* session, JNIEnv* env, const ProfileRange& range,
                                          int64_t* step_ns) {
  std::vector<SampleCounts::Part> parts;
  SampleCounts::StepOf step_of = SampleCounts::no_time;
  session->counter()->read([&](const SampleCounts& counts) {
    parts = range.by_time ? counts.by_time() : counts.since(range.since.counts);
    if (range.next != nullptr) range.next->counts = counts.counts();
    *step_ns = range.by_time ? counts.step_ns() : 0;
    if (range.by_time) step_of = counts.step_of();
    if (range.dates_live) step_of = dates_of_allocations();
  });
  const std::vector<SampleSources::Source>& sources = session->sources().all();
  auto is_left_out = [&](const SampleCounts::Part& one) { return !range.has(sources[one.key.event].event); };
  parts.erase(std::remove_if(parts.begin(), parts.end(), is_left_out), parts.end());
  auto number = static_cast<uint16_t>(sources.size());
  for (const std::string_view event : options::live_events(session->options())) {
    std::vector<SampleCounts::Part> living;
    if (range.has(std::string(event)))
      living = event == profile::kNativeLiveEvent ? session->live()->native()->samples(number, step_of)
                                                  : session->live()->samples(env, number, range.live, step_of);
    parts.insert(parts.end(), living.begin(), living.end());
    ++number;
  }
  return parts;
}

// The profile's [lost] frame.
class LostSamples {
 public:
  LostSamples(const SessionState& session, const ProfileRange& range, std::vector<SampleCounts::Count> now)
      : session_(session), range_(range), now_(std::move(now)) {}

  void add_to(profile::Profile* profile, const EventColumns& columns, FrameNamer* namer) const {
    std::vector<int64_t> values(profile->value_types.size());
    for (size_t event = 0; event < now_.size(); event++) {
      if (!range_.has(session_.sources().all()[event].event)) continue;
      SampleCounts::Count lost = now_[event];
      if (event < range_.since.lost.size()) lost -= range_.since.lost[event];
      columns.add(static_cast<uint16_t>(event), lost, &values);
    }
    bool is_nothing = std::all_of(values.begin(), values.end(), [](int64_t value) { return value == 0; });
    if (is_nothing) return;
    auto lost = namer->location(capture::Frame::marker(capture::Marker::kLost));
    profile::PreorderBuilder stacks(profile, true);
    stacks.add(stacks.child(0, lost), 0, values.data(), profile::kNoTime);
  }

 private:
  const SessionState& session_;
  const ProfileRange& range_;
  const std::vector<SampleCounts::Count> now_;
};

void add_comparison(const SessionState& session, FrameNamer* namer, profile::Profile* profile) {
  if (session.capture().plan.java_style != capture::JavaStyle::kCompare) return;
  const capture::Comparison& comparison = session.capture().recorder.comparison();
  std::string summary = comparison_summary(comparison);
  profile->quality.notes.push_back(summary);
  session.log()->info(summary + "\n" + comparison_examples(comparison, session.capture().tree, namer, *profile));
}

std::vector<events::ThreadRegistry::Thread> threads_of(const SessionState& session) {
  const events::ThreadFollower* follower = session.sources().follower();
  return follower == nullptr ? std::vector<events::ThreadRegistry::Thread>() : follower->threads();
}

}  // namespace

session::SessionSnapshot take_snapshot(SessionState* session) {
  session->counter()->drain();
  session->sources().flush();
  session::SessionSnapshot snapshot;
  snapshot.duration_ns = session->duration_ns();
  snapshot.quality = full_quality_of(session);
  snapshot.paused_ns = session->paused_ns();
  session->counter()->read([&](const SampleCounts& counts) {
    snapshot.counts = counts.counts();
    snapshot.lost = lost_of(*session);
  });
  return snapshot;
}

profile::Profile profile_of(SessionState* session, JNIEnv* env, const options::Options& output,
                            const ProfileRange& range) {
  session->counter()->drain();
  session->sources().flush();
  profile::Profile profile;
  int64_t until_ns = session->duration_ns();
  EventColumns columns = columns_of(*session, range, session->began_unix_ns() + until_ns);
  profile.value_types = columns.value_types();
  profile.metadata = metadata_of(*session, output, range.since.duration_ns, until_ns);
  // It is that of the last value.
  if (const profile::EventKind* last = profile::kind_of_value(profile.value_types.back().type))
    if (is_also(*last)) profile.metadata.interval = 0;
  profile::Quality full = full_quality_of(session);
  profile.quality = profile::quality_since(range.since.quality, full);
  std::vector<std::string>& notes = profile.quality.notes;
  if (!range.has(profile::kAllocEvent)) profile::forget_allocations(&profile.quality);
  for (std::string& note : pause_notes(*session, range)) notes.push_back(std::move(note));
  std::vector<SampleCounts::Part> counts = counts_of(session, env, range, &profile.metadata.time_step_ns);
  if (range.has(profile::kLiveEvent) && !session->live()->note().empty()) notes.push_back(session->live()->note());
  std::vector<SampleCounts::Count> lost = lost_of(*session);
  const session::CaptureState& capture = session->capture();
  vm::Vm* vm = session->vm();
  FrameNamer namer(vm, env, output, {&capture.plan.virtual_threads, &capture.classes, output.speaks_asprof}, &profile);
  build_model(
      {capture.tree, threads_of(*session), vm->labels, capture.recorder.spans(), capture.traits, range.dates_live},
      counts, output, &namer, columns, &profile);
  LostSamples(*session, range, lost).add_to(&profile, columns, &namer);
  add_comparison(*session, &namer, &profile);
  profile.pack();
  if (range.next == nullptr) return profile;
  range.next->quality = std::move(full);
  range.next->duration_ns = until_ns;
  range.next->paused_ns = session->paused_ns();
  range.next->lost = std::move(lost);
  return profile;
}

}  // namespace hearth::naming
