#include "profile/model/merged_profile.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/formatted.h"
#include "profile/formats/formats.h"
#include "profile/model/event_kinds.h"
#include "profile/model/stack_copier.h"

namespace hearth::profile {
namespace {

constexpr size_t kMostThreads = 100;  // threads listed individually with their allocations

// The order of a session of all events: first the number of samples, by which readers know it, then the values of each
// event.
size_t rank_of(const ValueType& type) {
  if (type.type == kSamplesType) return 0;
  const EventKind* kind = kind_of_value(type.type);
  if (kind == nullptr) return 2 * kEventKinds.size() + 1;
  size_t row = static_cast<size_t>(kind - kEventKinds.data());
  return 1 + 2 * row + (type.type == kind->weight ? 1 : 0);
}

std::vector<ValueType>::iterator place_of(const ValueType& wanted, std::vector<ValueType>* types) {
  return std::find_if(types->begin(), types->end(),
                      [&](const ValueType& one) { return one.type == wanted.type && one.unit == wanted.unit; });
}

// One value of a profile.
Profile value_of(const Profile& profile, size_t type, TimeStep time) {
  Profile one;
  one.value_types = {profile.value_types[type]};
  StackCopier stacks(&profile, &one);
  for (size_t index = 0; index < profile.sample_count(); ++index) {
    const Profile::Sample& sample = profile.sample(index);
    const int64_t* value = &profile.values(index)[type];
    if (*value == 0) continue;
    one.add(stacks.copy(sample.stack), one.label_set(profile.label_sets()[sample.labels]), value, time);
  }
  return one;
}

}  // namespace

void add_words(const std::string& words, std::string_view between, std::string* sum) {
  const std::string comma(between);
  auto enclosed = [&](std::string_view text) { return std::string(comma).append(text).append(comma); };
  for (size_t begin = 0; begin < words.size();) {
    size_t end = std::min(words.find(comma, begin), words.size());
    std::string word = words.substr(begin, end - begin);
    bool is_known = enclosed(*sum).find(enclosed(word)) != std::string::npos;
    if (!is_known) sum->append(sum->empty() ? "" : comma).append(word);
    begin = end + comma.size();
  }
}

std::vector<size_t> MergedProfile::columns_for(const Profile& part) {
  std::vector<ValueType> missing;
  for (size_t type = 0; type < part.value_types.size(); ++type) {
    const ValueType& wanted = part.value_types[type];
    auto found = place_of(wanted, &sum_.value_types);
    bool is_new = found == sum_.value_types.end();
    if (is_new) missing.push_back(wanted);
    ValueType& known = is_new ? missing.back() : *found;
    known.interval = std::max(known.interval, interval_of(part, type));
    known.threshold = std::max(known.threshold, wanted.threshold);
    if (!is_new) merge_look(wanted, &known);
  }
  if (!missing.empty()) widen(missing);
  return columns_of(part.value_types);
}

void MergedProfile::merge_look(const ValueType& part, ValueType* sum) const {
  bool is_later = part.looked_at_ns >= sum->looked_at_ns;
  if (live_ == Live::kLatest && !is_later) return;
  bool is_one_run = live_ == Live::kLatest || part.followed_since_ns == sum->followed_since_ns;
  sum->followed_since_ns = is_one_run ? part.followed_since_ns : 0;
  sum->looked_at_ns = is_one_run ? std::max(part.looked_at_ns, sum->looked_at_ns) : 0;
}

void MergedProfile::take_looks_out(const Profile& part, TimeStep time, std::vector<size_t>* columns) {
  for (size_t type = 0; type < part.value_types.size(); ++type) {
    const ValueType& value = part.value_types[type];
    if (value.looked_at_ns == 0) continue;
    (*columns)[type] = kLeftOut;
    auto known = looks_.find(value.type);
    bool is_later = known == looks_.end() || value.looked_at_ns >= known->second.value_types.front().looked_at_ns;
    if (is_later) looks_.insert_or_assign(value.type, value_of(part, type, time));
  }
}

// Indexes of these value types in the sum, which has them.
std::vector<size_t> MergedProfile::columns_of(const std::vector<ValueType>& types) {
  std::vector<size_t> columns;
  columns.reserve(types.size());
  for (const ValueType& type : types)
    columns.push_back(static_cast<size_t>(place_of(type, &sum_.value_types) - sum_.value_types.begin()));
  return columns;
}

// Creates the sum again: all samples of a profile have the same number of values.
void MergedProfile::widen(const std::vector<ValueType>& missing) {
  Profile narrow = std::exchange(sum_, Profile());
  if (narrow.value_types.size() + missing.size() > kMostValueTypes)
    throw FormatError(formatted("the profiles have more than {} value types together", kMostValueTypes));
  sum_.metadata = narrow.metadata;
  sum_.quality = narrow.quality;
  std::vector<ValueType>& types = sum_.value_types;
  types = narrow.value_types;
  types.insert(types.end(), missing.begin(), missing.end());
  std::stable_sort(types.begin(), types.end(),
                   [](const ValueType& one, const ValueType& other) { return rank_of(one) < rank_of(other); });
  add_samples(narrow, columns_of(narrow.value_types), nullptr);
}

std::vector<LabelSetId> MergedProfile::labels_of(const Profile& part) {
  std::vector<LabelSetId> ids;
  for (const LabelSet& set : part.label_sets()) {
    LabelSet kept;
    for (Label label : set)
      if (!change_label_ || change_label_(&label)) kept.push_back(std::move(label));
    ids.push_back(sum_.label_set(std::move(kept)));
  }
  return ids;
}

// `time` null: each sample keeps its own.
void MergedProfile::add_samples(const Profile& part, const std::vector<size_t>& columns, const TimeStep* time) {
  std::vector<LabelSetId> labels = labels_of(part);
  StackCopier stacks(&part, &sum_);
  std::vector<int64_t> row(sum_.value_types.size());
  bool leaves_out = std::find(columns.begin(), columns.end(), kLeftOut) != columns.end();
  for (size_t index = 0; index < part.sample_count(); ++index) {
    const Profile::Sample& sample = part.sample(index);
    std::fill(row.begin(), row.end(), 0);
    for (size_t type = 0; type < columns.size(); ++type)
      if (columns[type] != kLeftOut) row[columns[type]] = part.values(index)[type];
    if (leaves_out && std::all_of(row.begin(), row.end(), [](int64_t value) { return value == 0; })) continue;
    sum_.add(stacks.copy(sample.stack), labels[sample.labels], row.data(), time == nullptr ? sample.time : *time);
  }
}

void MergedProfile::add_metadata(const Metadata& part) {
  Metadata& sum = sum_.metadata;
  bool is_first = parts_ == 0;
  sum.start_unix_ns = is_first ? part.start_unix_ns : std::min(sum.start_unix_ns, part.start_unix_ns);
  ends_unix_ns_ = std::max(is_first ? INT64_MIN : ends_unix_ns_, saturating_sum(part.start_unix_ns, part.duration_ns));
  sum.duration_ns = ends_unix_ns_ - sum.start_unix_ns;
  sum.interval = std::max(sum.interval, part.interval);
  add_words(part.event, ", ", &sum.event);
  if (!part.producer.empty()) sum.producer = part.producer;
  if (!part.runtime.empty()) sum.runtime = part.runtime;
  if (!part.program.empty()) sum.program = part.program;
  // Windows before and after a restart belong to different processes.
  sum.pid = is_first || sum.pid == part.pid ? part.pid : "";
  sum.host = is_first || sum.host == part.host ? part.host : "";
  if (!is_first) return;
  sum.title = part.title;
  sum.shown_event = part.shown_event;
}

void MergedProfile::add(const Profile& part, TimeStep time) {
  std::vector<size_t> columns = columns_for(part);
  if (live_ == Live::kLatest) take_looks_out(part, time, &columns);
  add_samples(part, columns, &time);
  add_metadata(part.metadata);
  Quality quality = part.quality;
  // Bytes and nanoseconds cannot be added.
  bool has_unit = !part.value_types.empty() && part.value_types.back().unit == sum_.value_types.back().unit;
  if (!has_unit) quality.lost_weight = 0;
  add_quality(quality, &sum_.quality);
  auto& threads = sum_.quality.allocated_by_thread;
  for (; threads.size() > kMostThreads;)
    threads.erase(std::min_element(threads.begin(), threads.end(),
                                   [](const auto& a, const auto& b) { return a.second < b.second; }));
  ++parts_;
}

Profile MergedProfile::take() {
  parts_ = 0;
  for (const auto& [type, look] : looks_) add_samples(look, columns_of(look.value_types), nullptr);
  looks_.clear();
  // The interval of the last value (profile.proto, period_type), whichever part had it.
  if (!sum_.value_types.empty() && sum_.value_types.back().interval > 0)
    sum_.metadata.interval = sum_.value_types.back().interval;
  return std::exchange(sum_, Profile());
}

}  // namespace hearth::profile
