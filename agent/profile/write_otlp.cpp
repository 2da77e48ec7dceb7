#include <algorithm>
#include <unordered_map>

#include "profile/event_view.h"
#include "profile/label_values.h"
#include "profile/otlp.h"
#include "profile/pprof_marks.h"
#include "profile/proto.h"
#include "profile/string_table.h"

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
enum : uint32_t { kStack = 1, kAttributes = 2, kValues = 4 };
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

// One for all that OpenTelemetry's attribute does not tell apart, so that frames that are equal there are one.
FrameKind told_kind(FrameKind kind) {
  switch (kind) {
    case FrameKind::kInterpreted:
    case FrameKind::kC1:
    case FrameKind::kJit:
    case FrameKind::kInlined:
    case FrameKind::kStub:
      return FrameKind::kJit;
    case FrameKind::kCpp:
      return FrameKind::kNative;
    default:
      return kind;
  }
}

std::string_view frame_type(FrameKind kind) {
  return kind == FrameKind::kJit ? "jvm" : kKindWords[static_cast<size_t>(kind)];
}

std::string_view attribute_key(const Label& label) {
  if (label.key == kThreadLabel) return "thread.name";
  return label.key == "tid" ? "thread.id" : std::string_view(label.key);
}

// As UCUM spells it.
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

// The same with told kinds and without times.
Profile as_told(const Profile& from) {
  Profile to;
  to.value_types = from.value_types;
  std::vector<LocationId> locations;
  for (const Location& location : from.locations()) {
    Function function = from.functions()[location.function];
    for (StringId* text : {&function.name, &function.system_name, &function.file}) *text = to.string(from.text(*text));
    function.kind = told_kind(function.kind);
    locations.push_back(to.location(to.function(function), location.line));
  }
  std::vector<NodeId> nodes = {0};
  for (NodeId node = 1; node < from.nodes().size(); node++)
    nodes.push_back(to.child(nodes[from.nodes()[node].parent], locations[from.nodes()[node].location]));
  for (size_t index = 0; index < from.sample_count(); index++) {
    const Profile::Sample& sample = from.sample(index);
    to.add(nodes[sample.stack], to.label_set(from.label_sets()[sample.labels]), from.values(index));
  }
  return to;
}

// A table of the dictionary: ids of the profile become indices as they are asked for; 0 is nothing.
class Table {
 public:
  explicit Table(uint32_t field, std::string_view nothing = {}) : field_(field) { append(nothing); }

  // `message` makes what is new.
  template <typename Make>
  uint32_t index(uint32_t id, const Make& message) {
    if (auto known = indices_.find(id); known != indices_.end()) return known->second;
    std::string made = message();
    append(made);
    return indices_[id] = size_ - 1;
  }
  void append(std::string_view message) {
    proto::put_bytes(bytes_, field_, message);
    size_++;
  }
  uint32_t size() const { return size_; }
  const std::string& bytes() const { return bytes_; }

 private:
  const uint32_t field_;
  std::string bytes_;
  uint32_t size_ = 0;
  std::unordered_map<uint32_t, uint32_t> indices_;
};

class OtlpWriter {
 public:
  OtlpWriter(const Profile& profile, const OtlpSource& source) : profile_(as_told(profile)), source_(source) {}

  std::string write();

 private:
  std::string scope_profiles();
  std::string resource() const;
  std::string dictionary() const;
  std::string profile(const ProfileEvent& event, size_t type);
  std::string sample(const Profile::Sample& sample, int64_t value);
  std::string value_type(const ValueType& type);
  const std::string& attributes(LabelSetId id);
  uint32_t attribute(std::string_view key, const Label& label);
  uint32_t stack(NodeId node);
  uint32_t location(LocationId id);
  uint32_t function(FunctionId id);

  static std::string no_link();

  const Profile profile_;
  const OtlpSource& source_;
  StringTable strings_;
  Table functions_{dictionary_field::kFunction};
  Table locations_{dictionary_field::kLocation};
  Table stacks_{dictionary_field::kStack};
  Table attributes_{dictionary_field::kAttribute};
  std::unordered_map<std::string, uint32_t> attribute_ids_;  // by message
  std::unordered_map<LabelSetId, std::string> label_sets_;   // packed indices
};

std::string OtlpWriter::write() {
  std::string resource_profiles;
  proto::put_bytes(resource_profiles, resource_profiles_field::kResource, resource());
  proto::put_bytes(resource_profiles, resource_profiles_field::kScopeProfiles, scope_profiles());
  std::string request;
  proto::put_bytes(request, request_field::kResourceProfiles, resource_profiles);
  proto::put_bytes(request, request_field::kDictionary, dictionary());
  return request;
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
  for (const ProfileEvent& event : events_of(profile_)) {
    // Viewers show the first one by itself.
    std::vector<size_t> types = {event.weight};
    // How many samples there were is no amount of anything, and one number for all that is sampled by time.
    if (event.counts_objects) types.push_back(event.count);
    for (size_t type : types) {
      std::string one = profile(event, type);
      if (!one.empty()) proto::put_bytes(message, scope_profiles_field::kProfiles, one);
    }
  }
  return message;
}

// "" where the event has no samples.
std::string OtlpWriter::profile(const ProfileEvent& event, size_t type) {
  std::string message;
  for (size_t index = 0; index < profile_.sample_count(); index++) {
    // Samples of all events are counted together.
    if (profile_.values(index)[event.weight] == 0) continue;
    proto::put_bytes(message, otlp_profile_field::kSamples,
                     sample(profile_.sample(index), profile_.values(index)[type]));
  }
  if (message.empty()) return message;
  const ValueType& weight = profile_.value_types[event.weight];
  proto::put_bytes(message, otlp_profile_field::kSampleType, value_type(profile_.value_types[type]));
  proto::put_fixed64(message, otlp_profile_field::kTime, static_cast<uint64_t>(source_.begin_ns));
  proto::put_number(message, otlp_profile_field::kDuration, source_.duration_ns);
  if (type != event.weight || weight.interval <= 0) return message;
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
  const std::string& indices = attributes(sample.labels);
  if (!indices.empty()) proto::put_bytes(message, otlp_sample_field::kAttributes, indices);
  put_varint(packed, static_cast<uint64_t>(value));
  proto::put_bytes(message, otlp_sample_field::kValues, packed);
  return message;
}

// Of labels that would have one key there, the first stays: keys must differ.
const std::string& OtlpWriter::attributes(LabelSetId id) {
  auto [entry, is_new] = label_sets_.try_emplace(id);
  if (!is_new) return entry->second;
  std::vector<std::string_view> keys;
  for (const Label& label : profile_.label_sets()[id]) {
    std::string_view key = attribute_key(label);
    if (key.empty() || std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    keys.push_back(key);
    put_varint(entry->second, attribute(key, label));
  }
  return entry->second;
}

uint32_t OtlpWriter::attribute(std::string_view key, const Label& label) {
  std::string message;
  proto::put_number(message, key_value_field::kKey, strings_.id(key));
  proto::put_bytes(message, key_value_field::kValue, any_value(label));
  proto::put_number(message, key_value_field::kUnit, strings_.id(unit_code(label.unit)));
  auto [entry, is_new] = attribute_ids_.try_emplace(message, attributes_.size());
  if (is_new) attributes_.append(message);
  return entry->second;
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

// With ids of their usual length, which some readers insist on.
std::string OtlpWriter::no_link() {
  std::string message;
  proto::put_bytes(message, link_field::kTrace, std::string(16, '\0'));
  proto::put_bytes(message, link_field::kSpan, std::string(8, '\0'));
  return message;
}

std::string OtlpWriter::dictionary() const {
  std::string message;
  proto::put_bytes(message, dictionary_field::kMapping, "");
  proto::put_bytes(message, dictionary_field::kLink, no_link());
  for (const Table* table : {&locations_, &functions_, &attributes_, &stacks_}) message += table->bytes();
  strings_.write(dictionary_field::kString, message);
  return message;
}

}  // namespace

std::string write_otlp(const Profile& profile, const OtlpSource& source) {
  return OtlpWriter(profile, source).write();
}

}  // namespace hearth::profile
