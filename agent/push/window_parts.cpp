#include "push/window_parts.h"

#include <algorithm>

#include "base/formatted.h"
#include "profile/codec/deflate.h"
#include "profile/formats/formats.h"
#include "profile/model/allocation_time.h"
#include "profile/model/event_view.h"
#include "profile/model/label_values.h"
#include "profile/model/merged_profile.h"
#include "profile/otlp/otlp.h"

namespace hearth::push {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// Servers make a series of each value of a text label, and threads and traces are short-lived. Pyroscope stores span_id
// with the samples, but refuses a profile of more than 16,000, which spans soon reach (pkg/validation/limits.go).
bool keep_label(profile::Label* label) {
  return label->key != profile::kTidLabel && label->key != profile::kThreadLabel &&
         label->key != profile::kAllocatedLabel && !profile::is_span_label(label->key);
}

bool has_samples(const profile::Profile& profile, const profile::ProfileEvent& event) {
  for (size_t index = 0; index < profile.sample_count(); index++)
    if (profile.values(index)[event.weight] != 0) return true;
  return false;
}

// "&sampleRate=50"; "" for events that are not sampled by time.
std::string sample_rate(const profile::Profile& part) {
  const profile::ValueType& weight = part.value_types.back();
  if (weight.unit != "nanoseconds" || weight.interval <= 0) return "";
  return formatted("&sampleRate={}", std::max<int64_t>(kSecond / weight.interval, 1));
}

// The resource of the window: without this process if another one wrote it.
std::vector<profile::Label> resource_of(const options::PushTarget& target, const store::StoredWindow& window) {
  constexpr std::string_view kProcess = "process.";
  std::vector<profile::Label> resource = target.resource;
  if (window.begin_ns > target.others_until_ns) return resource;
  auto is_of_process = [kProcess](const profile::Label& label) {
    return label.key.compare(0, kProcess.size(), kProcess) == 0;
  };
  resource.erase(std::remove_if(resource.begin(), resource.end(), is_of_process), resource.end());
  return resource;
}

}  // namespace

WindowParts::WindowParts(std::string_view pprof, options::Protocol protocol)
    : protocol_(protocol), profile_(profile::read_pprof(pprof)) {
  if (protocol == options::Protocol::kOtlp) {
    profile_ = profile::otlp_samples(profile_);
    return;
  }
  profile::MergedProfile merged(keep_label);
  merged.add(profile_);
  profile_ = merged.take();
  for (const profile::ProfileEvent& event : profile::events_of(profile_))
    if (has_samples(profile_, event)) events_.push_back(event.name);
}

PushPart WindowParts::part(size_t begin, const options::PushTarget& target, const store::StoredWindow& window) const {
  return protocol_ == options::Protocol::kOtlp ? samples(begin, target, window) : event(begin, target, window);
}

PushPart WindowParts::event(size_t index, const options::PushTarget& target, const store::StoredWindow& window) const {
  profile::Profile one = profile::only_events(profile_, {events_[index]});
  int64_t from = window.begin_ns / kSecond;
  int64_t until = std::max((window.end_ns() + kSecond - 1) / kSecond, from + 1);
  std::string query = formatted("/ingest?name={}&from={}&until={}&format=pprof&spyName=hearth{}",
                                options::percent_encoded(target.name()), from, until, sample_rate(one));
  return {query, profile::write_pprof(one, {}), "application/octet-stream", false, index + 1};
}

PushPart WindowParts::samples(size_t first, const options::PushTarget& target,
                              const store::StoredWindow& window) const {
  profile::OtlpSource source = {resource_of(target, window), HEARTH_VERSION, window.begin_ns, window.duration_ns};
  profile::OtlpRequest request = profile::write_otlp(profile_, first, source);
  return {"", profile::deflate(request.bytes, profile::Wrapping::kGzip), "application/x-protobuf", true, request.next};
}

}  // namespace hearth::push
