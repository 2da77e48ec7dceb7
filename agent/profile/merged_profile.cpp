#include "profile/merged_profile.h"

#include <algorithm>
#include <utility>

#include "base/formatted.h"
#include "profile/formats.h"
#include "profile/stack_copier.h"

namespace hearth::profile {
namespace {

constexpr size_t kMostThreads = 100;  // whose allocations are told one by one

}  // namespace

void add_words(const std::string& words, std::string_view between, std::string* sum) {
  const std::string comma(between);
  for (size_t begin = 0; begin < words.size();) {
    size_t end = std::min(words.find(comma, begin), words.size());
    std::string word = words.substr(begin, end - begin);
    bool is_known = (comma + *sum + comma).find(comma + word + comma) != std::string::npos;
    if (!is_known) *sum += (sum->empty() ? "" : comma) + word;
    begin = end + comma.size();
  }
}

std::vector<size_t> MergedProfile::columns_for(const Profile& part) {
  std::vector<size_t> columns;
  std::vector<ValueType> missing;
  for (size_t type = 0; type < part.value_types.size(); ++type) {
    const ValueType& wanted = part.value_types[type];
    auto begin = sum_.value_types.begin(), end = sum_.value_types.end();
    auto found = std::find_if(
        begin, end, [&](const ValueType& known) { return known.type == wanted.type && known.unit == wanted.unit; });
    columns.push_back(found == end ? sum_.value_types.size() + missing.size() : static_cast<size_t>(found - begin));
    if (found == end) missing.push_back(wanted);
    int64_t interval = interval_of(part, type);
    ValueType& known = found == end ? missing.back() : *found;
    known.interval = std::max(known.interval, interval);
    known.threshold = std::max(known.threshold, wanted.threshold);
  }
  if (!missing.empty()) widen(missing);
  return columns;
}

// A profile's values are as many for each sample, so it is made again.
void MergedProfile::widen(const std::vector<ValueType>& missing) {
  Profile narrow = std::exchange(sum_, Profile());
  if (narrow.value_types.size() + missing.size() > kMostValueTypes)
    throw FormatError(formatted("the profiles have more than {} value types together", kMostValueTypes));
  sum_.metadata = narrow.metadata;
  sum_.quality = narrow.quality;
  sum_.value_types = narrow.value_types;
  sum_.value_types.insert(sum_.value_types.end(), missing.begin(), missing.end());
  std::vector<size_t> columns(narrow.value_types.size());
  for (size_t type = 0; type < columns.size(); ++type) columns[type] = type;
  add_samples(narrow, columns, nullptr);
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
  for (size_t index = 0; index < part.sample_count(); ++index) {
    const Profile::Sample& sample = part.sample(index);
    std::fill(row.begin(), row.end(), 0);
    for (size_t type = 0; type < columns.size(); ++type) row[columns[type]] = part.values(index)[type];
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
  if (is_first) sum.title = part.title;
}

void MergedProfile::add(const Profile& part, TimeStep time) {
  add_samples(part, columns_for(part), &time);
  add_metadata(part.metadata);
  Quality quality = part.quality;
  // Bytes and nanoseconds have no sum.
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
  return std::exchange(sum_, Profile());
}

}  // namespace hearth::profile
