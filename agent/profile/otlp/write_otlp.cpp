#include <algorithm>
#include <array>
#include <cstdlib>
#include <unordered_map>
#include <utility>

#include "profile/codec/proto.h"
#include "profile/formats/formats.h"
#include "profile/formats/pprof_extensions.h"
#include "profile/formats/string_table.h"
#include "profile/model/event_view.h"
#include "profile/model/label_values.h"
#include "profile/model/stack_filter.h"
#include "profile/otlp/otlp.h"
#include "profile/otlp/otlp_fields.h"
#include "profile/otlp/otlp_link.h"
#include "profile/otlp/otlp_values.h"

namespace hearth::profile {
namespace {

constexpr const char* kScopeName = "hearth";

std::string_view frame_type(FrameKind kind) {
  return kind == FrameKind::kJit ? kJvmFrameType : kKindWords[static_cast<size_t>(kind)];
}

std::string_view attribute_key(const Label& label) {
  if (label.key == kThreadLabel) return kThreadNameKey;
  return label.key == kTidLabel ? kThreadIdKey : std::string_view(label.key);
}

// UCUM's code of a unit.
std::string_view unit_code(std::string_view unit) {
  if (unit == "bytes") return "By";
  if (unit == "nanoseconds") return "ns";
  return unit;
}

std::string link_message(const std::string& ids) {
  std::string message;
  proto::put_bytes(message, link_field::kTrace, ids.substr(0, kTraceIdBytes));
  proto::put_bytes(message, link_field::kSpan, ids.substr(kTraceIdBytes));
  return message;
}

// With ids of the usual length, which some readers require.
std::string no_link() {
  return link_message(std::string(kTraceIdBytes + kSpanIdBytes, '\0'));
}

// A table of the dictionary; its first item is empty.
class Table {
 public:
  explicit Table(uint32_t field, std::string_view nothing = {}) : field_(field) { append(nothing); }

  // Index of the item with this id in the profile; `message` creates a new one.
  template <typename Make>
  uint32_t index(uint32_t id, const Make& message) {
    if (auto known = by_id_.find(id); known != by_id_.end()) return known->second;
    std::string made = message();
    append(made);
    return by_id_[id] = size_ - 1;
  }
  uint32_t index(const std::string& message) {
    auto [entry, is_new] = by_message_.try_emplace(message, size_);
    if (is_new) append(message);
    return entry->second;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void append(std::string_view message) {
    proto::put_bytes(bytes_, field_, message);
    size_++;
  }

  const uint32_t field_;
  std::string bytes_;
  uint32_t size_ = 0;
  std::unordered_map<uint32_t, uint32_t> by_id_;
  std::unordered_map<std::string, uint32_t> by_message_;
};

// One profile of the request.
struct Amount {
  size_t weight;  // samples of this event have this value
  size_t type;    // the value to write
  std::string samples;
  size_t count;  // of samples
};

struct Labels {
  std::string attributes;  // packed indices
  uint32_t link = 0;
};

class OtlpWriter {
 public:
  OtlpWriter(const Profile& profile, const OtlpSource& source);

  OtlpRequest write(size_t first);

 private:
  size_t add(size_t begin);
  bool is_full() const;
  size_t bytes() const;
  std::string scope_profiles();
  std::string resource() const;
  std::string dictionary() const;
  std::string profile(Amount& amount);
  std::string sample(size_t begin, size_t end, const Amount& amount);
  std::string value_type(const ValueType& type);
  const Labels& labels(LabelSetId id);
  std::string attributes(const LabelSet& labels);
  uint32_t attribute(std::string_view key, const Label& label);
  uint32_t stack(NodeId leaf);
  uint32_t location(LocationId id);
  uint32_t function(FunctionId id);
  std::array<const Table*, 5> tables() const { return {&links_, &locations_, &functions_, &attributes_, &stacks_}; }

  const Profile& profile_;
  const OtlpSource& source_;
  std::vector<Amount> amounts_;
  StringTable strings_;
  Table links_{dictionary_field::kLink, no_link()};
  Table functions_{dictionary_field::kFunction};
  Table locations_{dictionary_field::kLocation};
  Table stacks_{dictionary_field::kStack};
  Table attributes_{dictionary_field::kAttribute};
  std::unordered_map<LabelSetId, Labels> labels_;
};

OtlpWriter::OtlpWriter(const Profile& profile, const OtlpSource& source) : profile_(profile), source_(source) {
  auto add = [this](size_t weight, size_t type) { amounts_.push_back({weight, type, "", 0}); };
  std::vector<ProfileEvent> events = events_of(profile);
  // Viewers show the first one by default.
  auto is_shown = [&source](const ProfileEvent& event) { return event.name == source.shown_event; };
  std::stable_partition(events.begin(), events.end(), is_shown);
  for (const ProfileEvent& event : events) {
    add(event.weight, event.weight);
    // The number of samples measures nothing, and is one number for all events that are sampled by time.
    if (event.counts_objects) add(event.weight, event.count);
  }
  if (!source.is_file) return;
  auto is_written = [this](size_t type) {
    return std::any_of(amounts_.begin(), amounts_.end(), [type](const Amount& one) { return one.type == type; });
  };
  for (size_t type = 0; type < profile.value_types.size(); type++)
    if (!is_written(type)) add(type, type);
}

OtlpRequest OtlpWriter::write(size_t first) {
  size_t next = first;
  while (next < profile_.sample_count() && !is_full()) next = add(next);
  std::string resource_profiles;
  proto::put_bytes(resource_profiles, resource_profiles_field::kResource, resource());
  proto::put_bytes(resource_profiles, resource_profiles_field::kScopeProfiles, scope_profiles());
  OtlpRequest request = {"", next};
  proto::put_bytes(request.bytes, request_field::kResourceProfiles, resource_profiles);
  proto::put_bytes(request.bytes, request_field::kDictionary, dictionary());
  return request;
}

// Adds the samples from `begin` that differ in their times alone. Returns the next one.
size_t OtlpWriter::add(size_t begin) {
  auto is_same = [this, begin](size_t index) {
    const Profile::Sample &one = profile_.sample(begin), &other = profile_.sample(index);
    return one.stack == other.stack && one.labels == other.labels;
  };
  size_t end = begin + 1;
  while (end < profile_.sample_count() && is_same(end)) end++;
  for (Amount& amount : amounts_) {
    std::string message = sample(begin, end, amount);
    if (message.empty()) continue;
    proto::put_bytes(amount.samples, otlp_profile_field::kSamples, message);
    amount.count++;
  }
  return end;
}

bool OtlpWriter::is_full() const {
  if (source_.is_file) return false;
  auto has_most = [](const Amount& amount) { return amount.count >= kMostOtlpSamples; };
  return bytes() >= kMostOtlpBytes || std::any_of(amounts_.begin(), amounts_.end(), has_most);
}

// Size so far, without the parts that are the same in each request.
size_t OtlpWriter::bytes() const {
  size_t sum = strings_.bytes();
  for (const Table* table : tables()) sum += table->bytes().size();
  for (const Amount& amount : amounts_) sum += amount.samples.size();
  return sum;
}

std::string OtlpWriter::resource() const {
  std::string message;
  for (const Label& label : source_.resource)
    proto::put_bytes(message, resource_field::kAttributes, key_value(label.key, any_value(label)));
  return message;
}

std::string OtlpWriter::scope_profiles() {
  std::string scope;
  proto::put_bytes(scope, scope_field::kName, kScopeName);
  proto::put_bytes(scope, scope_field::kVersion, source_.scope_version);
  if (!source_.comments.empty())
    proto::put_bytes(scope, scope_field::kAttributes, key_value(kCommentsKey, any_value(source_.comments)));
  std::string message;
  proto::put_bytes(message, scope_profiles_field::kScope, scope);
  for (Amount& amount : amounts_)
    if (!amount.samples.empty()) proto::put_bytes(message, scope_profiles_field::kProfiles, profile(amount));
  return message;
}

std::string OtlpWriter::profile(Amount& amount) {
  std::string message = std::move(amount.samples);
  const ValueType& weight = profile_.value_types[amount.weight];
  proto::put_bytes(message, otlp_profile_field::kSampleType, value_type(profile_.value_types[amount.type]));
  proto::put_fixed64(message, otlp_profile_field::kTime, static_cast<uint64_t>(source_.begin_ns));
  proto::put_number(message, otlp_profile_field::kDuration, source_.duration_ns);
  if (amount.type != amount.weight || weight.interval <= 0) return message;
  proto::put_bytes(message, otlp_profile_field::kPeriodType, value_type(weight));
  proto::put_number(message, otlp_profile_field::kPeriod, weight.interval);
  return message;
}

std::string OtlpWriter::value_type(const ValueType& type) {
  std::string message;
  proto::put_number(message, proto::value_type_field::kType, strings_.id(type.type));
  proto::put_number(message, proto::value_type_field::kUnit, strings_.id(type.unit));
  return message;
}

// "" if they have none of this amount: samples of all events are counted together.
std::string OtlpWriter::sample(size_t begin, size_t end, const Amount& amount) {
  std::string message, values, times;
  bool has_times = source_.time_step_ns > 0;
  for (size_t index = begin; index < end; index++) {
    if (profile_.values(index)[amount.weight] == 0) continue;
    put_varint(values, static_cast<uint64_t>(profile_.values(index)[amount.type]));
    TimeStep time = profile_.sample(index).time;
    has_times &= time != kNoTime;
    // Unsigned: a file of others may have any step.
    proto::append_fixed64(
        times, static_cast<uint64_t>(source_.begin_ns) + uint64_t{time} * static_cast<uint64_t>(source_.time_step_ns));
  }
  if (values.empty()) return "";
  proto::put_number(message, otlp_sample_field::kStack, stack(profile_.sample(begin).stack));
  const Labels& told = labels(profile_.sample(begin).labels);
  if (!told.attributes.empty()) proto::put_bytes(message, otlp_sample_field::kAttributes, told.attributes);
  proto::put_number(message, otlp_sample_field::kLink, told.link);
  proto::put_bytes(message, otlp_sample_field::kValues, values);
  if (has_times) proto::put_bytes(message, otlp_sample_field::kTimes, times);
  return message;
}

const Labels& OtlpWriter::labels(LabelSetId id) {
  auto [entry, is_new] = labels_.try_emplace(id);
  if (!is_new) return entry->second;
  const LabelSet& labels = profile_.label_sets()[id];
  std::string ids = otlp_link(labels);
  if (!ids.empty()) entry->second.link = links_.index(link_message(ids));
  entry->second.attributes = attributes(labels);
  return entry->second;
}

// If labels would have the same key there, the first one is kept: keys must differ.
std::string OtlpWriter::attributes(const LabelSet& labels) {
  std::string indices;
  std::vector<std::string_view> keys;
  for (const Label& label : labels) {
    std::string_view key = attribute_key(label);
    if (key.empty() || is_span_label(key) || std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    keys.push_back(key);
    put_varint(indices, attribute(key, label));
  }
  return indices;
}

uint32_t OtlpWriter::attribute(std::string_view key, const Label& label) {
  std::string message;
  proto::put_number(message, key_value_field::kKey, strings_.id(key));
  proto::put_bytes(message, key_value_field::kValue, any_value(label));
  proto::put_number(message, key_value_field::kUnit, strings_.id(unit_code(label.unit)));
  return attributes_.index(message);
}

uint32_t OtlpWriter::stack(NodeId leaf) {
  return stacks_.index(leaf, [this, leaf] {
    std::string packed, message;
    for (NodeId node = leaf; node != 0; node = profile_.nodes()[node].parent)
      put_varint(packed, location(profile_.nodes()[node].location));
    proto::put_bytes(message, stack_field::kLocations, packed);
    return message;
  });
}

uint32_t OtlpWriter::location(LocationId id) {
  return locations_.index(id, [this, id] {
    const Location& location = profile_.locations()[id];
    FrameKind kind = profile_.functions()[location.function].kind;
    std::string line, packed, message;
    proto::put_number(line, proto::line_field::kFunctionId, function(location.function));
    proto::put_number(line, proto::line_field::kLine, location.line);
    put_varint(packed, attribute(kFrameTypeKey, {"", std::string(frame_type(kind)), 0, ""}));
    proto::put_bytes(message, otlp_location_field::kLines, line);
    proto::put_bytes(message, otlp_location_field::kAttributes, packed);
    return message;
  });
}

uint32_t OtlpWriter::function(FunctionId id) {
  return functions_.index(id, [this, id] {
    const Function& function = profile_.functions()[id];
    std::string message;
    proto::put_number(message, otlp_function_field::kName, strings_.id(profile_.text(function.name)));
    proto::put_number(message, otlp_function_field::kSystemName, strings_.id(profile_.text(function.system_name)));
    proto::put_number(message, otlp_function_field::kFileName, strings_.id(profile_.text(function.file)));
    return message;
  });
}

std::string OtlpWriter::dictionary() const {
  std::string message;
  proto::put_bytes(message, dictionary_field::kMapping, "");
  for (const Table* table : tables()) message += table->bytes();
  strings_.write(dictionary_field::kString, message);
  return message;
}

}  // namespace

OtlpRequest write_otlp(const Profile& samples, size_t first, const OtlpSource& source) {
  return OtlpWriter(samples, source).write(first);
}

std::string write_otlp(const Profile& profile, const WriteOptions& options) {
  const Metadata& about = profile.metadata;
  OtlpSource source = {{}, HEARTH_VERSION, about.start_unix_ns, about.duration_ns, true, about.time_step_ns};
  auto add = [&source](const char* key, const std::string& text, int64_t number) {
    if (!text.empty() || number != 0) source.resource.push_back({key, text, number, ""});
  };
  add("service.name", about.program, 0);
  add("process.pid", "", std::strtoll(about.pid.c_str(), nullptr, 10));
  add("host.name", about.host, 0);
  add("process.runtime.description", about.runtime, 0);
  std::vector<ProfileEvent> events = events_of(profile);
  source.shown_event = options.event;
  if (options.event.empty() && !events.empty()) source.shown_event = default_event(profile, events).name;
  source.comments = pprof_comments(profile, options.title);
  Profile samples = otlp_samples(profile, shown_stacks(profile, options));
  return OtlpWriter(samples, source).write(0).bytes;
}

}  // namespace hearth::profile
