#include "profile/jfr/read_samples.h"

#include <algorithm>

#include "base/formatted.h"
#include "base/free_memory.h"
#include "profile/formats/formats.h"
#include "profile/model/event_kinds.h"

namespace hearth::profile::jfr::recorded {
namespace {

constexpr const char* kShared = kSamplesType.data();

// In the order of Column.
constexpr struct {
  const char* event;
  const char* count;
  const char* weight;
  const char* unit;
} kRows[] = {
    {"cpu", kShared, "cpu", "nanoseconds"},
    {"cpu_time", kShared, "cpu_time", "nanoseconds"},
    {"wall", kShared, "wall", "nanoseconds"},
    {"page-faults", kShared, "page_faults", "count"},
    {"context-switches", kShared, "context_switches", "count"},
    {"calls", kShared, "calls", "count"},
    {"alloc", "alloc_objects", "alloc_space", "bytes"},
    {"alloc_sampled", kShared, "alloc_sampled", "bytes"},
    {"lock", "contentions", "delay", "nanoseconds"},
    {"live", "inuse_objects", "inuse_space", "bytes"},
    {"native_samples", kShared, "native_samples", "count"},
    {"park", kShared, "park", "nanoseconds"},
    {"monitor_wait", kShared, "monitor_wait", "nanoseconds"},
    {"sleep", kShared, "sleep", "nanoseconds"},
    {"pinned", kShared, "pinned", "nanoseconds"},
    {"trace", "traced_calls", "traced_time", "nanoseconds"},
    {"nativemem", "native_allocs", "native_alloc_space", "bytes"},
    {"nativelock", "native_contentions", "native_delay", "nanoseconds"},
    {"io", "io_calls", "io_time", "nanoseconds"},
    {"io-bytes", "io_transfers", "io_bytes", "bytes"},
    {"native-live", "native_inuse_allocs", "native_inuse_space", "bytes"},
    {"exception", kShared, "exceptions", "count"},
    {"holders", kShared, "holders", "nanoseconds"},
    {"wakers", "wakeups", "wakers", "nanoseconds"},
    {"vthreads", "vthread_waits", "vthreads", "nanoseconds"},
    {"errors", kShared, "errors", "count"},
    {"file_read", kShared, "file_read", "bytes"},
    {"file_read_time", kShared, "file_read_time", "nanoseconds"},
    {"file_write", kShared, "file_write", "bytes"},
    {"file_write_time", kShared, "file_write_time", "nanoseconds"},
    {"file_force_time", kShared, "file_force_time", "nanoseconds"},
    {"socket_read", kShared, "socket_read", "bytes"},
    {"socket_read_time", kShared, "socket_read_time", "nanoseconds"},
    {"socket_write", kShared, "socket_write", "bytes"},
    {"socket_write_time", kShared, "socket_write_time", "nanoseconds"},
};
static_assert(std::size(kRows) == kColumns);

bool is_shared(const ColumnRow& row) {
  return row.count == kSamplesType;
}

}  // namespace

Samples::Samples() {
  for (const auto& row : kRows) rows_.push_back({row.event, row.count, row.weight, row.unit});
  uses_.resize(rows_.size());
}

Column Samples::named(std::string_view event, std::string_view unit) {
  auto is_it = [&](const ColumnRow& row) { return row.event == event && row.unit == unit; };
  auto found = std::find_if(rows_.begin(), rows_.end(), is_it);
  auto number = static_cast<size_t>(found - rows_.begin());
  if (found != rows_.end()) return static_cast<Column>(number);
  constexpr size_t kMost = 200;  // Column and kMostValueTypes have more
  if (rows_.size() >= kMost) throw FormatError("the recording names too many events");
  rows_.push_back({std::string(event), kShared, std::string(event), std::string(unit)});
  uses_.emplace_back();
  return static_cast<Column>(number);
}

bool Samples::shares_count(Column column) const {
  return is_shared(rows_[static_cast<size_t>(column)]);
}

void Samples::add(NodeId stack, LabelSetId labels, int64_t at_ns, Column column, int64_t count, int64_t weight) {
  uses_[static_cast<size_t>(column)].is_used = true;
  insert({{stack, labels, step_of(at_ns), column}, count, weight});
}

void Samples::insert(const Sample& sample) {
  const Key& key = sample.key;
  uint64_t place = uint64_t{key.time} << 8 | static_cast<uint64_t>(key.column);
  uint64_t hash = mix(mix(key.stack, key.labels), place);
  uint32_t number = index_.find_or_claim(hash, [&](uint32_t other) { return samples_[other].key == key; });
  if (number == samples_.size()) {
    samples_.push_back(sample);
    return;
  }
  Sample& known = samples_[number];
  known.count = saturating_sum(known.count, sample.count);
  known.weight = saturating_sum(known.weight, sample.weight);
}

// Recordings may be of any length, and events of a chunk may begin before it.
TimeStep Samples::step_of(int64_t at_ns) {
  constexpr int64_t kLongest = int64_t{10} * 366 * 86400 * 1'000'000'000;
  at_ns = std::clamp<int64_t>(at_ns, 0, kLongest);
  while (at_ns / step_ns_ >= kMostSteps) double_step();
  return static_cast<TimeStep>(at_ns / step_ns_);
}

void Samples::double_step() {
  step_ns_ *= 2;
  std::vector<Sample> finer;
  finer.swap(samples_);
  index_ = IdIndex();
  for (Sample& sample : finer) {
    sample.key.time /= 2;
    insert(sample);
  }
}

// A JDK may record the same thing by two events. If there is only the second one, it has the usual name.
void Samples::join_twins() {
  constexpr std::pair<Column, Column> kTwins[] = {{Column::kCpu, Column::kCpuTime},
                                                  {Column::kAlloc, Column::kAllocSample}};
  for (auto [usual, other] : kTwins) {
    Use &to = uses_[static_cast<size_t>(usual)], &from = uses_[static_cast<size_t>(other)];
    if (to.is_used || !from.is_used) continue;
    for (Sample& sample : samples_)
      if (sample.key.column == other) sample.key.column = usual;
    std::swap(to, from);
  }
}

void Samples::set_values(Profile* profile) {
  std::vector<ValueType>& types = profile->value_types;
  for (size_t column = 0; column < rows_.size() && types.empty(); ++column)
    if (uses_[column].is_used && is_shared(rows_[column])) types.push_back({kShared, "count"});
  std::vector<std::string> events;
  for (size_t column = 0; column < rows_.size(); ++column) {
    Use& use = uses_[column];
    if (!use.is_used) continue;
    const ColumnRow& row = rows_[column];
    if (!is_shared(row)) types.push_back({row.count, "count"});
    use.value = types.size();
    types.push_back({row.weight, row.unit, use.interval});
    events.push_back(row.event);
  }
  if (types.empty()) types.push_back({kShared, "count"});
  profile->metadata.event = joined(events, ", ");
  if (!events.empty()) profile->metadata.shown_event = events.front();
  if (!types.empty()) profile->metadata.interval = types.back().interval;
}

void Samples::move_to(Profile* profile) {
  join_twins();
  set_values(profile);
  profile->metadata.time_step_ns = step_ns_;
  index_ = IdIndex();
  profile->reserve(0, samples_.size());
  std::vector<int64_t> row(profile->value_types.size());
  for (const Sample& sample : samples_) {
    auto column = static_cast<size_t>(sample.key.column);
    size_t value = uses_[column].value;
    size_t count = is_shared(rows_[column]) ? 0 : value - 1;
    row[count] = sample.count;
    row[value] = sample.weight;
    profile->add(sample.key.stack, sample.key.labels, row.data(), sample.key.time);
    row[count] = row[value] = 0;
  }
  free_memory(&samples_);
}

}  // namespace hearth::profile::jfr::recorded
