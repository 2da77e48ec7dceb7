#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "profile/codec/proto.h"
#include "profile/formats/otlp.h"
#include "profile/formats/otlp_link.h"
#include "profile/formats/pprof_extensions.h"
#include "profile/formats/string_table.h"
#include "profile/model/event_view.h"
#include "profile/model/label_values.h"

namespace hearth::profile {
namespace {

// Field numbers, by message.
namespace request_field {
enum : uint32_t { kResourceProfiles = 1, kDictionary = 2 };
}
namespace dictionary_field {
enum : uint32_t { kMapping = 1, kLocation = 2, kFunction = 3, kLink = 4, kString = 5, kAttribute = 6, kStack = 7 };
}
namespace resource_profiles_field {
enum : uint32_t { kResource = 1, kScopeProfiles = 2 };
}
namespace resource_field {
enum : uint32_t { kAttributes = 1 };
}
namespace scope_profiles_field {
enum : uint32_t { kScope = 1, kProfiles = 2 };
}
namespace scope_field {
enum : uint32_t { kName = 1, kVersion = 2 };
}
namespace otlp_profile_field {
enum : uint32_t { kSampleType = 1, kSamples = 2, kTime = 3, kDuration = 4, kPeriodType = 5, kPeriod = 6 };
}
namespace otlp_sample_field {
enum : uint32_t { kStack = 1, kAttributes = 2, kLink = 3, kValues = 4 };
}
namespace otlp_location_field {
enum : uint32_t { kLines = 3, kAttributes = 4 };
}
namespace otlp_function_field {
enum : uint32_t { kName = 1, kSystemName = 2, kFileName = 3 };
}
namespace stack_field {
enum : uint32_t { kLocations = 1 };
}
namespace link_field {
enum : uint32_t { kTrace = 1, kSpan = 2 };
}
namespace key_value_field {
enum : uint32_t { kKey = 1, kValue = 2, kUnit = 3 };
}
namespace any_value_field {
enum : uint32_t { kString = 1, kInt = 3 };
}

constexpr const char* kScopeName = "hearth";
constexpr const char* kFrameTypeKey = "profile.frame.type";

std::string_view frame_type(FrameKind kind) {
  return kind == FrameKind::kJit ? "jvm" : kKindWords[static_cast<size_t>(kind)];
}

std::string_view attribute_key(const Label& label) {
  if (label.key == kThreadLabel) return "thread.name";
  return label.key == kTidLabel ? "thread.id" : std::string_view(label.key);
}

// UCUM's code of a unit.
std::string_view unit_code(std::string_view unit) {
  if (unit == "bytes") return "By";
  if (unit == "nanoseconds") return "ns";
  return unit;
}

std::string any_value(const Label& label) {
  std::string value;
  if (!label.text.empty()) {
    proto::put_bytes(value, any_value_field::kString, valid_utf8(label.text));
  } else {
    proto::put_tag(value, any_value_field::kInt, proto::Wire::kVarint);  // a zero, too
    put_varint(value, static_cast<uint64_t>(label.number));
  }
  return value;
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
  void add(size_t index);
  bool is_full() const;
  size_t bytes() const;
  std::string scope_profiles();
  std::string resource() const;
  std::string dictionary() const;
  std::string profile(Amount& amount);
  std::string sample(const Profile::Sample& sample, int64_t value);
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
  for (const ProfileEvent& event : events_of(profile)) {
    // Viewers show the first one by default.
    amounts_.push_back({event.weight, event.weight, "", 0});
    // The number of samples measures nothing, and is one number for all events that are sampled by time.
    if (event.counts_objects) amounts_.push_back({event.weight, event.count, "", 0});
  }
}

OtlpRequest OtlpWriter::write(size_t first) {
  size_t next = first;
  while (next < profile_.sample_count() && !is_full()) add(next++);
  std::string resource_profiles;
  proto::put_bytes(resource_profiles, resource_profiles_field::kResource, resource());
  proto::put_bytes(resource_profiles, resource_profiles_field::kScopeProfiles, scope_profiles());
  OtlpRequest request = {"", next};
  proto::put_bytes(request.bytes, request_field::kResourceProfiles, resource_profiles);
  proto::put_bytes(request.bytes, request_field::kDictionary, dictionary());
  return request;
}

void OtlpWriter::add(size_t index) {
  const int64_t* values = profile_.values(index);
  for (Amount& amount : amounts_) {
    // Samples of all events are counted together.
    if (values[amount.weight] == 0) continue;
    proto::put_bytes(amount.samples, otlp_profile_field::kSamples, sample(profile_.sample(index), values[amount.type]));
    amount.count++;
  }
}

bool OtlpWriter::is_full() const {
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
  for (const Label& label : source_.resource) {
    std::string pair;
    proto::put_bytes(pair, key_value_field::kKey, valid_utf8(label.key));
    proto::put_bytes(pair, key_value_field::kValue, any_value(label));
    proto::put_bytes(message, resource_field::kAttributes, pair);
  }
  return message;
}

std::string OtlpWriter::scope_profiles() {
  std::string scope;
  proto::put_bytes(scope, scope_field::kName, kScopeName);
  proto::put_bytes(scope, scope_field::kVersion, source_.scope_version);
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

std::string OtlpWriter::sample(const Profile::Sample& sample, int64_t value) {
  std::string message, packed;
  proto::put_number(message, otlp_sample_field::kStack, stack(sample.stack));
  const Labels& told = labels(sample.labels);
  if (!told.attributes.empty()) proto::put_bytes(message, otlp_sample_field::kAttributes, told.attributes);
  proto::put_number(message, otlp_sample_field::kLink, told.link);
  put_varint(packed, static_cast<uint64_t>(value));
  proto::put_bytes(message, otlp_sample_field::kValues, packed);
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

}  // namespace hearth::profile
