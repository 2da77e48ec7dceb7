#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "base/formatted.h"
#include "profile/codec/deflate.h"
#include "profile/codec/proto.h"
#include "profile/codec/utf8.h"
#include "profile/formats/formats.h"
#include "profile/formats/frame_text.h"
#include "profile/formats/pprof_extensions.h"
#include "profile/formats/read_pprof_comment.h"
#include "profile/jfr/read_jfr.h"
#include "profile/model/event_view.h"

namespace hearth::profile {
namespace {

using proto::Message;

// Each frame of a stack takes time, even if its node is known.
constexpr uint64_t kStepCost = 8;
constexpr size_t kMostLabels = 10'000;  // per sample

// Our frames of one location of the file, outermost first: several if calls were inlined.
using Frames = std::vector<LocationId>;

class PprofReader {
 public:
  PprofReader(std::string_view bytes, size_t stored) : bytes_(bytes), limit_(bytes.size(), stored) {}

  // Tables may come after their references, so samples and other users of strings are read in a second pass.
  Profile read() {
    read_strings();
    read_functions_and_mappings();
    read_locations();
    read_metadata();
    read_samples();
    finish_quality();
    return std::move(profile_);
  }

 private:
  struct FileFunction {
    StringId name = 0;
    StringId system_name = 0;
    StringId file = 0;
    FrameKind kind = FrameKind::kNative;  // by its name; a mapping takes precedence
  };
  struct FileMapping {
    std::string_view file;
    std::optional<LocationId> location;  // of its code without a function
  };

  void read_strings();
  void read_functions_and_mappings();
  void read_locations();
  void read_metadata();
  void read_samples();
  void read_function(Message message);
  void read_mapping(Message message);
  void read_location(Message message);
  ValueType read_value_type(Message message) const;
  void read_sample(Message message);
  LabelSetId labels(const std::vector<Message>& messages, std::string_view key);
  Label read_label(Message message) const;
  std::optional<TimeStep> read_time(Message message) const;
  NodeId stack(const Message& where);
  LocationId frame(const FileFunction& function, const FileMapping* mapping, uint32_t line, const Message& where);
  LocationId frame_without_function(FileMapping* mapping, uint64_t address, const Message& where);
  void finish_quality();

  // The text of a string id that `message` just read.
  std::string_view text(const Message& message) const { return strings_[string_index(message, message.number())]; }

  size_t string_index(const Message& message, uint64_t id) const {
    if (id >= strings_.size()) message.where().fail(formatted("string {} is not in the string table", id));
    return id;
  }

  // The string in the profile. Many functions may have one long name.
  StringId interned(const Message& message) {
    size_t index = string_index(message, message.number());
    if (interned_[index] == 0) interned_[index] = profile_.string(strings_[index]);
    return interned_[index];
  }

  std::string_view bytes_;
  ExpansionLimit limit_;
  Profile profile_;
  std::vector<std::string_view> strings_;
  std::vector<StringId> interned_;  // by string; 0: not yet interned, or empty
  std::unordered_map<uint64_t, FileFunction> functions_;
  std::unordered_map<uint64_t, FileMapping> mappings_;
  std::unordered_map<uint64_t, Frames> locations_;
  std::unordered_map<std::string, LabelSetId> label_sets_;  // by their bytes in the file

  std::vector<uint64_t> location_ids_;  // of the current sample, innermost first
  std::vector<uint64_t> ids_before_;    // of the sample before, outermost first: neighbours share most of their stacks
  std::vector<NodeId> nodes_before_;
};

void PprofReader::read_strings() {
  for (Message message(bytes_, 0); message.next();)
    if (message.field() == proto::profile_field::kStringTable) strings_.push_back(message.bytes());
  interned_.resize(strings_.size());
}

void PprofReader::read_functions_and_mappings() {
  for (Message message(bytes_, 0); message.next();) {
    if (message.field() == proto::profile_field::kFunction) read_function(message.message());
    if (message.field() == proto::profile_field::kMapping) read_mapping(message.message());
  }
}

void PprofReader::read_locations() {
  for (Message message(bytes_, 0); message.next();)
    if (message.field() == proto::profile_field::kLocation) read_location(message.message());
}

void PprofReader::read_function(Message message) {
  uint64_t id = 0;
  FileFunction function;
  while (message.next()) {
    if (message.field() == proto::function_field::kId) id = message.number();
    if (message.field() == proto::function_field::kName) function.name = interned(message);
    if (message.field() == proto::function_field::kSystemName) function.system_name = interned(message);
    if (message.field() == proto::function_field::kFileName) function.file = interned(message);
  }
  if (function.name == 0) function.name = function.system_name;
  std::string_view name = profile_.text(function.name);
  limit_.spend(name.size(), message.where());
  function.kind = kind_of_name(name);
  functions_[id] = function;
}

void PprofReader::read_mapping(Message message) {
  uint64_t id = 0;
  std::string_view file;
  while (message.next()) {
    if (message.field() == proto::mapping_field::kId) id = message.number();
    if (message.field() == proto::mapping_field::kFileName) file = text(message);
  }
  mappings_[id] = {file, std::nullopt};
}

std::optional<FrameKind> kind_of_mapping(std::string_view file) {
  const auto* word = std::find(std::begin(kKindWords), std::end(kKindWords), file);
  if (word != std::end(kKindWords)) return static_cast<FrameKind>(word - std::begin(kKindWords));
  if (file.substr(0, 7) == "[kernel") return FrameKind::kKernel;  // perf's name
  return std::nullopt;
}

LocationId PprofReader::frame(const FileFunction& function, const FileMapping* mapping, uint32_t line,
                              const Message& where) {
  limit_.spend(profile_.text(function.name).size(), where.where());  // trees spell each location
  std::optional<FrameKind> known = mapping == nullptr ? std::nullopt : kind_of_mapping(mapping->file);
  FrameKind kind = known.value_or(function.kind);
  return profile_.location(profile_.function({function.name, function.system_name, function.file, kind}), line);
}

LocationId PprofReader::frame_without_function(FileMapping* mapping, uint64_t address, const Message& where) {
  if (mapping == nullptr || mapping->file.empty())
    return profile_.location(profile_.function(formatted("{:#x}", address), FrameKind::kNative), 0);
  if (!mapping->location) {
    limit_.spend(mapping->file.size(), where.where());
    std::string name = formatted("[{}]", mapping->file.substr(mapping->file.rfind('/') + 1));
    mapping->location = profile_.location(profile_.function(name, FrameKind::kNative), 0);
  }
  return *mapping->location;
}

void PprofReader::read_location(Message message) {
  uint64_t id = 0;
  uint64_t address = 0;
  FileMapping* mapping = nullptr;
  std::vector<std::pair<uint64_t, uint32_t>> lines;  // function, line
  while (message.next()) {
    if (message.field() == proto::location_field::kId) id = message.number();
    if (message.field() == proto::location_field::kAddress) address = message.number();
    if (message.field() == proto::location_field::kMappingId) {
      auto known = mappings_.find(message.number());
      if (known != mappings_.end()) mapping = &known->second;
    }
    if (message.field() != proto::location_field::kLine) continue;
    lines.emplace_back();
    for (Message line = message.message(); line.next();) {
      if (line.field() == proto::line_field::kFunctionId) lines.back().first = line.number();
      if (line.field() != proto::line_field::kLine) continue;
      bool fits = line.number() <= std::numeric_limits<uint32_t>::max();
      lines.back().second = fits ? static_cast<uint32_t>(line.number()) : 0;
    }
  }
  Frames frames;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    auto function = functions_.find(line->first);
    if (function == functions_.end()) message.where().fail(formatted("function {} is not in it", line->first));
    frames.push_back(frame(function->second, mapping, line->second, message));
  }
  if (frames.empty()) frames.push_back(frame_without_function(mapping, address, message));
  locations_[id] = std::move(frames);
}

ValueType PprofReader::read_value_type(Message message) const {
  ValueType type;
  while (message.next()) {
    if (message.field() == proto::value_type_field::kType) type.type = shown_text(text(message));
    if (message.field() == proto::value_type_field::kUnit) type.unit = shown_text(text(message));
  }
  return type;
}

void PprofReader::read_metadata() {
  std::string_view shown_type;
  for (Message message(bytes_, 0); message.next();) {
    switch (message.field()) {
      case proto::profile_field::kSampleType: {
        ValueType type = read_value_type(message.message());
        limit_.spend(type.type.size() + type.unit.size(), message.where());
        if (profile_.value_types.size() == kMostValueTypes)
          message.where().fail(formatted("it has more than {} value types", kMostValueTypes));
        profile_.value_types.push_back(std::move(type));
        break;
      }
      case proto::profile_field::kTimeNanos:
        profile_.metadata.start_unix_ns = message.signed_number();
        break;
      case proto::profile_field::kDurationNanos:
        profile_.metadata.duration_ns = message.signed_number();
        break;
      case proto::profile_field::kPeriod:
        profile_.metadata.interval = message.signed_number();
        break;
      case proto::profile_field::kDefaultSampleType:
        shown_type = strings_[string_index(message, message.number())];
        break;
      case proto::profile_field::kComment:
        message.numbers([&](uint64_t id) {
          std::string_view comment = strings_[string_index(message, id)];
          limit_.spend(sizeof(std::string) + comment.size(), message.where());
          read_pprof_comment(comment, &profile_);
        });
        break;
      default:
        break;
    }
  }
  const std::vector<ValueType>& types = profile_.value_types;
  auto is_shown = [&](const ValueType& type) { return type.type == shown_type; };
  auto shown = std::find_if(types.begin(), types.end(), is_shown);
  profile_.metadata.shown_event = event_of_value(profile_, static_cast<size_t>(shown - types.begin()));
}

void PprofReader::read_samples() {
  for (Message message(bytes_, 0); message.next();)
    if (message.field() == proto::profile_field::kSample) read_sample(message.message());
}

void PprofReader::read_sample(Message message) {
  location_ids_.clear();
  std::vector<int64_t> values;
  std::vector<Message> label_messages;
  std::string label_key;
  TimeStep time = kNoTime;
  while (message.next()) {
    if (message.field() == proto::sample_field::kLocationId)
      message.numbers([&](uint64_t id) { location_ids_.push_back(id); });
    if (message.field() == proto::sample_field::kValue)
      message.numbers([&](uint64_t value) { values.push_back(static_cast<int64_t>(value)); });
    if (message.field() != proto::sample_field::kLabel) continue;
    if (std::optional<TimeStep> step = read_time(message.message())) {
      time = *step;
      continue;
    }
    if (label_messages.size() == kMostLabels)
      message.where().fail(formatted("a sample has more than {} labels", kMostLabels));
    put_varint(label_key, message.bytes().size());
    label_key += message.bytes();
    label_messages.push_back(message.message());
  }
  if (values.size() != profile_.value_types.size())
    message.where().fail(formatted("values of a sample: {}, value types of the profile: {}", values.size(),
                                   profile_.value_types.size()));
  NodeId leaf = stack(message);
  profile_.add(leaf, labels(label_messages, label_key), values.data(), time);
}

NodeId PprofReader::stack(const Message& where) {
  std::reverse(location_ids_.begin(), location_ids_.end());
  size_t depth = 0;
  size_t comparable = std::min(location_ids_.size(), ids_before_.size());
  while (depth < comparable && location_ids_[depth] == ids_before_[depth]) ++depth;
  nodes_before_.resize(depth);
  NodeId node = depth == 0 ? 0 : nodes_before_.back();
  for (; depth < location_ids_.size(); ++depth) {
    auto known = locations_.find(location_ids_[depth]);
    if (known == locations_.end()) where.where().fail(formatted("location {} is not in it", location_ids_[depth]));
    const Frames& frames = known->second;
    size_t nodes = profile_.nodes().size();
    for (LocationId location : frames) node = profile_.child(node, location);
    uint64_t made = profile_.nodes().size() - nodes;
    limit_.spend((frames.size() - 1) * kStepCost + made * kNodeCost, where.where());
    nodes_before_.push_back(node);
  }
  ids_before_.swap(location_ids_);
  return node;
}

Label PprofReader::read_label(Message message) const {
  Label label;
  while (message.next()) {
    if (message.field() == proto::label_field::kKey) label.key = shown_text(text(message));
    if (message.field() == proto::label_field::kText) label.text = text(message);
    if (message.field() == proto::label_field::kNumber) label.number = message.signed_number();
    if (message.field() == proto::label_field::kUnit) label.unit = shown_text(text(message));
  }
  return label;
}

// For profiles with times, if this label is one.
std::optional<TimeStep> PprofReader::read_time(Message message) const {
  if (profile_.metadata.time_step_ns == 0) return std::nullopt;
  bool is_named = false, is_measured = false;
  int64_t number = 0;
  while (message.next()) {
    if (message.field() == proto::label_field::kKey) is_named = text(message) == kTimeLabel;
    if (message.field() == proto::label_field::kUnit) is_measured = text(message) == kTimeUnit;
    if (message.field() == proto::label_field::kNumber) number = message.signed_number();
  }
  if (!is_named || !is_measured) return std::nullopt;
  int64_t step = number / profile_.metadata.time_step_ns;
  if (number < 0 || step >= kMostTimeSteps)
    message.where().fail(formatted("a sample's time of {} ns is none of the profile's", number));
  return static_cast<TimeStep>(step);
}

LabelSetId PprofReader::labels(const std::vector<Message>& messages, std::string_view key) {
  auto [entry, is_new] = label_sets_.try_emplace(std::string(key), 0);
  if (!is_new) return entry->second;
  LabelSet set;
  for (const Message& message : messages) {
    Label label = read_label(message);
    limit_.spend(sizeof label + label.key.size() + label.text.size() + label.unit.size(), message.where());
    set.push_back(std::move(label));
  }
  entry->second = profile_.label_set(std::move(set));
  return entry->second;
}

// Profiles of others have no number of samples; by convention the first value counts them.
void PprofReader::finish_quality() {
  if (profile_.quality.samples != 0 || profile_.value_types.empty() || profile_.value_types[0].unit != "count") return;
  int64_t sum = 0;
  for (size_t index = 0; index < profile_.sample_count(); ++index) sum = saturating_sum(sum, profile_.values(index)[0]);
  profile_.quality.samples = static_cast<uint64_t>(std::max<int64_t>(sum, 0));
}

}  // namespace

Profile read_pprof(std::string_view bytes) {
  if (bytes.substr(0, 2) != "\x1F\x8B") return PprofReader(bytes, bytes.size()).read();
  std::string inflated = inflate(bytes, Wrapping::kGzip, "the pprof profile");
  if (jfr::is_recording(inflated)) throw FormatError("it is a compressed JFR recording; unpack it first, with gunzip");
  return PprofReader(inflated, bytes.size()).read();
}

}  // namespace hearth::profile
