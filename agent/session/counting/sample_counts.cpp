#include "session/counting/sample_counts.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "capture/recorder.h"
#include "vm/label_sets.h"

namespace hearth::session {
namespace {

static_assert(capture::kMaxEvents < SampleCounts::kEvents);  // and the event "live"
static_assert(vm::LabelSets::kMostNumber < SampleCounts::kLabelSets);

SampleCounts::Key key_of(const capture::Sample& sample) {
  return {sample.thread, sample.stack, sample.event, sample.state, sample.labels};
}

uint64_t hash_of(const SampleCounts::Key& key, uint16_t span) {
  uint64_t rest = static_cast<uint64_t>(span) << 48 | static_cast<uint64_t>(key.labels) << 32 |
                  static_cast<uint64_t>(key.event) << 16 | key.state;
  return profile::mix(static_cast<uint64_t>(key.thread) << 32 | key.stack, rest);
}

bool is_something(const SampleCounts::Part& part) {
  return part.count.samples != 0 || part.count.weight != 0;
}

// Outputs have whole objects. The rounding error of one part is carried to the next: thousands of parts would otherwise
// all be rounded the same way.
void round_objects(std::vector<SampleCounts::Part>* parts, size_t begin) {
  double sum = 0;
  for (size_t i = begin; i < parts->size(); i++) {
    double before = std::round(sum);
    sum += (*parts)[i].count.objects;
    (*parts)[i].count.objects = std::round(sum) - before;
  }
}

}  // namespace

std::optional<uint32_t> SampleCounts::find(const Key& key, uint16_t span) const {
  return index_.find(hash_of(key, span),
                     [&](uint32_t known) { return entries_[known].key == key && span_of(known) == span; });
}

std::optional<uint32_t> SampleCounts::find_or_make(const capture::Sample& sample, uint64_t time_ns, int64_t times) {
  Key key = key_of(sample);
  bool has_room = by_span_ < most_by_span_ || sample.span == capture::SpanTable::kNone ||
                  sample.span == capture::SpanTable::kOther || find(key, sample.span);
  uint16_t span = has_room ? sample.span : capture::SpanTable::kOther;
  if (span == capture::SpanTable::kOther) in_other_spans_ += static_cast<uint64_t>(times);
  return find_or_make(key, span, time_ns);
}

std::optional<uint32_t> SampleCounts::find_or_make(const Key& key, uint16_t span, uint64_t time_ns) {
  return profile::find_or_append(
      &index_, hash_of(key, span), &entries_, most_,
      [&](uint32_t known) { return entries_[known].key == key && span_of(known) == span; },
      [&] {
        size_t id = entries_.size();
        if (span != capture::SpanTable::kNone || !spans_.empty()) {
          spans_.resize(id + 1);
          spans_[id] = span;
        }
        entries_.push_back({key, times_.unit_of(time_ns), Count()});
        if (span != capture::SpanTable::kNone && span != capture::SpanTable::kOther) by_span_++;
      });
}

// Without memory the sample counts under the first time of its key.
void SampleCounts::add_time(uint32_t id, uint64_t time_ns, const Count& count) {
  try {
    times_.add(id, time_ns, count, [this](uint32_t one) { return entries_[one].first_unit; });
  } catch (const std::bad_alloc&) {
  }
}

bool SampleCounts::add(const capture::Sample& sample, int64_t times) {
  std::optional<uint32_t> id = find_or_make(sample, sample.time_ns, times);
  if (!id) return false;
  Count count = {times, sample.weight, sample.objects};
  entries_[*id].count += count;
  add_time(*id, sample.time_ns, count);
  return true;
}

bool SampleCounts::add_spread(const capture::Sample& sample, int64_t times) {
  if (sample.weight <= 0) return add(sample, times);
  auto length = static_cast<uint64_t>(sample.weight);
  uint64_t begin = sample.time_ns - std::min(length, sample.time_ns);
  std::optional<uint32_t> id = find_or_make(sample, begin, times);
  if (!id) return false;
  entries_[*id].count += {times, sample.weight, sample.objects};
  int64_t counted = 0;
  for (uint64_t at = begin; at < sample.time_ns;) {
    uint64_t end = std::min(times_.end_of_step(at), sample.time_ns);
    double share = static_cast<double>(end - begin) / static_cast<double>(length);
    int64_t until_now = std::llround(share * static_cast<double>(times));
    add_time(*id, at, {until_now - counted, static_cast<int64_t>(end - at), 0});
    counted = until_now;
    at = end;
  }
  return true;
}

std::vector<SampleCounts::Count> SampleCounts::counts() const {
  std::vector<Count> counts;
  counts.reserve(entries_.size());
  for (const Entry& entry : entries_) counts.push_back(entry.count);
  return counts;
}

std::vector<SampleCounts::Part> SampleCounts::since(const std::vector<Count>& before) const {
  std::vector<Part> parts;
  for (size_t id = 0; id < entries_.size(); id++) {
    Part part = {entries_[id].key, profile::kNoTime, entries_[id].count, span_of(static_cast<uint32_t>(id))};
    if (id < before.size()) part.count -= before[id];
    if (is_something(part)) parts.push_back(part);
  }
  return parts;
}

std::vector<SampleCounts::Part> SampleCounts::by_time() const {
  std::vector<std::pair<uint64_t, const SampleTimes::Later*>> later;  // by id, then step
  later.reserve(times_.later().size());
  for (const SampleTimes::Later& one : times_.later()) later.emplace_back(uint64_t{one.id} << 32 | one.step, &one);
  std::sort(later.begin(), later.end());
  std::vector<Part> parts;
  parts.reserve(entries_.size() + later.size());
  auto next = later.begin();
  for (uint32_t id = 0; id < entries_.size(); id++) {
    const Entry& entry = entries_[id];
    size_t begin = parts.size();
    parts.push_back({entry.key, times_.step_of_unit(entry.first_unit), entry.count, span_of(id)});
    for (; next != later.end() && next->first >> 32 == id; ++next) {
      const SampleTimes::Later& one = *next->second;
      parts[begin].count -= one.count;
      parts.push_back({entry.key, one.step, one.count, span_of(id)});
    }
    if (parts.size() > begin + 1) round_objects(&parts, begin);
    if (!is_something(parts[begin])) parts.erase(parts.begin() + static_cast<ptrdiff_t>(begin));
  }
  return parts;
}

void SampleCounts::Living::add(const Key& key, uint16_t span, profile::TimeStep time, int64_t bytes, double objects) {
  Count& count = counts_[{key, span, time}];
  count.samples++;
  count.weight += bytes;
  count.objects += objects;
}

std::vector<SampleCounts::Part> SampleCounts::Living::parts() const {
  std::vector<Part> parts;
  parts.reserve(counts_.size());
  for (const auto& [where, count] : counts_) {
    const auto& [key, span, time] = where;
    parts.push_back({key, time, count, span});
  }
  return parts;
}

SampleCounts::StepOf SampleCounts::step_of() const {
  uint64_t began_ns = times_.began_ns(), step = static_cast<uint64_t>(step_ns());
  return [began_ns, step](uint64_t time_ns) {
    uint64_t number = time_ns <= began_ns ? 0 : (time_ns - began_ns) / step;
    return static_cast<profile::TimeStep>(std::min<uint64_t>(number, SampleTimes::kMostSteps - 1));
  };
}

}  // namespace hearth::session
