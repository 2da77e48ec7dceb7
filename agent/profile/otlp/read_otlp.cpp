#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "base/formatted.h"
#include "base/text_parts.h"
#include "profile/codec/proto.h"
#include "profile/codec/utf8.h"
#include "profile/formats/formats.h"
#include "profile/formats/read_pprof_comment.h"
#include "profile/model/event_kinds.h"
#include "profile/model/event_view.h"
#include "profile/model/label_values.h"
#include "profile/otlp/otlp_dictionary.h"
#include "profile/otlp/otlp_fields.h"

namespace hearth::profile {
namespace {

using proto::Message;

constexpr int64_t kShortestStep = 20'000'000;
constexpr int64_t kMostSteps = 4096;  // of profiles of others
constexpr size_t kMostProfiles = 10'000;

// A profile of the file, which has one value.
struct Series {
  Message message;
  std::string service;  // of its resource
  ValueType type{};
  int64_t period = 0;          // between two samples, in the type's unit; 0: unknown
  int64_t counted_period = 0;  // above 0: the file has the number of samples, each for so much of the type
  int64_t begin_ns = 0, duration_ns = 0;
  size_t value = 0;               // index of its value in the model
  std::optional<size_t> count{};  // likewise of the number of its samples, which the file does not have
};

int64_t saturating_product(int64_t a, int64_t b) {
  int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

bool is_count(const ValueType& type) {
  return type.unit == "count" || type.unit.empty() || type.unit == kSamplesType;
}

class OtlpReader {
 public:
  OtlpReader(std::string_view bytes, size_t stored) : bytes_(bytes), limit_(bytes.size(), stored) {}

  Profile read() {
    read_dictionary();
    for (Message message = whole(); message.next();)
      if (message.field() == request_field::kResourceProfiles) read_resource_profiles(message.message());
    choose_values();
    for (const std::string& comment : comments_) read_pprof_comment(comment, &profile_);
    finish_metadata();
    for (const Series& one : series_) read_samples(one);
    finish_quality();
    return std::move(profile_);
  }

 private:
  Message whole() const { return {bytes_, 0, kOtlpInput}; }
  void read_dictionary();
  void read_resource_profiles(Message message);
  void read_resource(Message message);
  void read_scope(Message message);
  void read_profile(Message message);
  void choose_values();
  size_t value_type(std::string_view name, std::string_view unit);
  void finish_metadata();
  void finish_quality();
  void read_samples(const Series& series);
  void read_sample(Message message, const Series& series);
  LabelSetId labels(std::string_view attributes, uint64_t link, const Series& series, const Message& where);
  TimeStep step_of(uint64_t time) const;
  bool has_counts_of(const EventKind& kind) const;

  std::string_view bytes_;
  ExpansionLimit limit_;
  Profile profile_;
  std::optional<OtlpDictionary> dictionary_;
  std::vector<Series> series_;
  std::vector<std::string> comments_;
  std::string service_;  // of the resource being read
  bool has_several_services_ = false;
  bool counts_samples_ = false;  // a profile of the file counts samples of all others
  std::unordered_map<std::string, LabelSetId> label_sets_;
};

void OtlpReader::read_dictionary() {
  std::optional<Message> found;
  for (Message message = whole(); message.next();) {
    if (message.field() != request_field::kDictionary) continue;
    if (found) message.where().fail("it has several dictionaries: it is more than one profile");
    found = message.message();
  }
  dictionary_.emplace(found.value_or(Message("", 0, kOtlpInput)), &profile_, &limit_);
}

void OtlpReader::read_resource_profiles(Message message) {
  service_.clear();
  Message copy = message;
  while (copy.next())
    if (copy.field() == resource_profiles_field::kResource) read_resource(copy.message());
  while (message.next()) {
    if (message.field() != resource_profiles_field::kScopeProfiles) continue;
    for (Message scope = message.message(); scope.next();) {
      if (scope.field() == scope_profiles_field::kScope) read_scope(scope.message());
      if (scope.field() == scope_profiles_field::kProfiles) read_profile(scope.message());
    }
  }
}

void OtlpReader::read_resource(Message message) {
  Metadata& about = profile_.metadata;
  while (message.next()) {
    if (message.field() != resource_field::kAttributes) continue;
    Label label = dictionary_->read_key_value(message.message());
    if (label.key == "service.name") service_ = label.text;
    if (label.key == "process.pid") about.pid = label.text.empty() ? std::to_string(label.number) : label.text;
    if (label.key == "host.name") about.host = label.text;
    if (label.key == "process.runtime.description") about.runtime = label.text;
  }
  has_several_services_ |= !series_.empty() && series_.back().service != service_;
  about.program = service_;
}

void OtlpReader::read_scope(Message message) {
  std::string name, version;
  while (message.next()) {
    if (message.field() == scope_field::kName) name = shown_text(message.bytes());
    if (message.field() == scope_field::kVersion) version = shown_text(message.bytes());
    if (message.field() == scope_field::kAttributes) dictionary_->read_comments(message.message(), &comments_);
  }
  if (!name.empty()) profile_.metadata.producer = name + (version.empty() ? "" : " " + version);
}

void OtlpReader::read_profile(Message message) {
  if (series_.size() == kMostProfiles) message.where().fail(formatted("it has more than {} profiles", kMostProfiles));
  limit_.spend(sizeof(Series) + service_.size(), message.where());
  Series series{message, service_};
  ValueType period_type;
  while (message.next()) {
    auto set_time = [&series](uint64_t time) { series.begin_ns = static_cast<int64_t>(time); };
    if (message.field() == otlp_profile_field::kSampleType) series.type = dictionary_->value_type(message.message());
    if (message.field() == otlp_profile_field::kTime) message.fixed64s(set_time);
    if (message.field() == otlp_profile_field::kDuration) series.duration_ns = message.signed_number();
    if (message.field() == otlp_profile_field::kPeriodType) period_type = dictionary_->value_type(message.message());
    if (message.field() == otlp_profile_field::kPeriod) series.period = message.signed_number();
  }
  // "samples, one for each 10 ms of cpu" is time of the CPU.
  if (is_count(series.type) && !is_count(period_type) && series.period > 0) {
    series.type = period_type;
    series.counted_period = series.period;
  } else if (series.type.unit != period_type.unit) {
    series.period = 0;
  }
  counts_samples_ |= series.type.type == kSamplesType;
  series_.push_back(std::move(series));
}

size_t OtlpReader::value_type(std::string_view name, std::string_view unit) {
  std::vector<ValueType>& types = profile_.value_types;
  auto found = std::find_if(types.begin(), types.end(), [name](const ValueType& type) { return type.type == name; });
  if (found != types.end()) return static_cast<size_t>(found - types.begin());
  if (types.size() == kMostValueTypes)
    whole().where().fail(formatted("it has more than {} value types", kMostValueTypes));
  types.push_back({std::string(name), std::string(unit)});
  return types.size() - 1;
}

// Whether the file has the number of the objects.
bool OtlpReader::has_counts_of(const EventKind& kind) const {
  return std::any_of(series_.begin(), series_.end(), [&](const Series& one) { return one.type.type == kind.count; });
}

// In the order of event_kinds.h, then in that of the file.
void OtlpReader::choose_values() {
  auto counts_objects = [](const Series& one) {
    const EventKind* kind = kind_of_value(one.type.type);
    return kind != nullptr && kind->counts_objects();
  };
  if (!std::all_of(series_.begin(), series_.end(), counts_objects)) value_type(kSamplesType, "count");
  for (const EventKind& kind : kEventKinds) {
    for (const Series& one : series_) {
      if (kind_of_value(one.type.type) != &kind) continue;
      if (kind.counts_objects()) value_type(kind.count, "count");
      value_type(kind.weight, kind.counts_objects() ? kind.unit : one.type.unit);
    }
  }
  for (Series& one : series_) {
    one.value = value_type(one.type.type, one.type.unit);
    ValueType& type = profile_.value_types[one.value];
    type.interval = std::max(type.interval, one.period);
    const EventKind* kind = kind_of_value(one.type.type);
    if (!counts_objects(one)) {
      if (!counts_samples_) one.count = value_type(kSamplesType, "count");
    } else if (one.type.type == kind->weight && !has_counts_of(*kind)) {
      one.count = value_type(kind->count, "count");
    }
  }
}

void OtlpReader::finish_metadata() {
  Metadata& about = profile_.metadata;
  int64_t end = 0;
  for (const Series& one : series_) {
    if (one.begin_ns <= 0) continue;
    about.start_unix_ns = about.start_unix_ns == 0 ? one.begin_ns : std::min(about.start_unix_ns, one.begin_ns);
    end = std::max(end, saturating_sum(one.begin_ns, std::max<int64_t>(one.duration_ns, 0)));
  }
  about.duration_ns = end - about.start_unix_ns;
  if (about.time_step_ns == 0 && about.duration_ns > 0)
    about.time_step_ns = std::max(kShortestStep, about.duration_ns / kMostSteps + 1);
  if (about.event.empty()) {
    std::vector<std::string> names;
    for (const ProfileEvent& event : events_of(profile_)) names.push_back(event.name);
    about.event = joined(names, ", ");
  }
  if (!profile_.value_types.empty()) about.interval = profile_.value_types.back().interval;
  if (!series_.empty()) about.shown_event = event_of_value(profile_, series_.front().value);
}

void OtlpReader::read_samples(const Series& series) {
  for (Message message = series.message; message.next();)
    if (message.field() == otlp_profile_field::kSamples) read_sample(message.message(), series);
}

TimeStep OtlpReader::step_of(uint64_t time) const {
  const Metadata& about = profile_.metadata;
  int64_t since = static_cast<int64_t>(time) - about.start_unix_ns;
  if (about.time_step_ns <= 0 || static_cast<int64_t>(time) < about.start_unix_ns) return kNoTime;
  int64_t step = since / about.time_step_ns;
  return step < kMostTimeSteps ? static_cast<TimeStep>(step) : kNoTime;
}

void OtlpReader::read_sample(Message message, const Series& series) {
  std::string_view attributes;
  std::string unpacked;  // attributes of writers that do not pack them
  uint64_t stack = 0, link = 0;
  std::vector<int64_t> values;
  std::vector<uint64_t> times;
  while (message.next()) {
    if (message.field() == otlp_sample_field::kStack) stack = message.number();
    if (message.field() == otlp_sample_field::kLink) link = message.number();
    if (message.field() == otlp_sample_field::kTimes) message.fixed64s([&](uint64_t one) { times.push_back(one); });
    if (message.field() == otlp_sample_field::kValues)
      message.numbers([&](uint64_t one) { values.push_back(static_cast<int64_t>(one)); });
    if (message.field() != otlp_sample_field::kAttributes) continue;
    message.numbers([&](uint64_t one) { put_varint(unpacked, one); });
    attributes = unpacked;
  }
  if (values.empty()) values.assign(times.size(), 1);
  if (!times.empty() && times.size() != values.size())
    message.where().fail(formatted("a sample has {} values and {} times", values.size(), times.size()));
  NodeId node = dictionary_->stack(stack, message.where());
  LabelSetId set = labels(attributes, link, series, message);
  std::vector<int64_t> row(profile_.value_types.size());
  limit_.spend(values.size() * row.size() * sizeof(int64_t), message.where());
  for (size_t i = 0; i < values.size(); i++) {
    row[series.value] = series.counted_period > 0 ? saturating_product(values[i], series.counted_period) : values[i];
    if (series.count) row[*series.count] = series.counted_period > 0 ? values[i] : 1;
    profile_.add(node, set, row.data(), times.empty() ? kNoTime : step_of(times[i]));
  }
}

LabelSetId OtlpReader::labels(std::string_view attributes, uint64_t link, const Series& series, const Message& where) {
  std::string key = formatted("{} ", link);
  if (has_several_services_) key += series.service;
  key.append(1, '\0').append(attributes);
  auto [entry, is_new] = label_sets_.try_emplace(std::move(key), 0);
  if (!is_new) return entry->second;
  LabelSet set = dictionary_->labels(attributes, link, where.where());
  if (has_several_services_ && !series.service.empty()) set.push_back({"service.name", series.service, 0, ""});
  for (const Label& label : set) limit_.spend(sizeof label + label.key.size() + label.text.size(), where.where());
  return entry->second = profile_.label_set(std::move(set));
}

// Profiles of others have no number of samples.
void OtlpReader::finish_quality() {
  bool is_counted = !profile_.value_types.empty() && profile_.value_types.front().type == kSamplesType;
  if (profile_.quality.samples != 0 || !is_counted) return;
  int64_t sum = 0;
  for (size_t index = 0; index < profile_.sample_count(); ++index) sum = saturating_sum(sum, profile_.values(index)[0]);
  profile_.quality.samples = static_cast<uint64_t>(std::max<int64_t>(sum, 0));
}

}  // namespace

// Profiles of pprof begin with a message that has a number first, those of OTLP with one that has a message first.
bool is_otlp(std::string_view bytes) {
  try {
    for (Message message(bytes, 0); message.next();) {
      if (message.field() > request_field::kDictionary || message.wire() != proto::Wire::kBytes) return false;
      if (message.field() != request_field::kResourceProfiles || message.bytes().empty()) continue;
      return static_cast<proto::Wire>(message.bytes().front() & 7) == proto::Wire::kBytes;
    }
  } catch (const FormatError&) {  // it is cut short
  }
  return false;
}

Profile read_otlp(std::string_view bytes, size_t stored) {
  return OtlpReader(bytes, stored).read();
}

}  // namespace hearth::profile
