#include <unordered_map>

#include "base/formatted.h"
#include "profile/codec/deflate.h"
#include "profile/codec/proto.h"
#include "profile/formats/formats.h"
#include "profile/formats/pprof_extensions.h"
#include "profile/formats/string_table.h"
#include "profile/model/event_view.h"
#include "profile/model/quality.h"
#include "profile/model/stack_filter.h"

namespace hearth::profile {
namespace {

class PprofWriter {
 public:
  PprofWriter(const Profile& profile, const WriteOptions& options)
      : profile_(profile), shown_(shown_stacks(profile, options)), title_(options.title), event_(options.event) {}

  std::string write() {
    write_sample_types();
    for (size_t index = 0; index < profile_.sample_count(); ++index)
      if (shown_[profile_.sample(index).stack]) write_sample(index);
    write_mappings();
    write_locations();
    write_functions();
    write_metadata();
    strings_.write(proto::profile_field::kStringTable, out_);
    return std::move(out_);
  }

 private:
  void write_sample_types();
  void write_sample(size_t index);
  void write_mappings();
  void write_mapping(int64_t id, std::string_view file);
  void write_locations();
  void write_functions();
  void write_metadata();
  void write_comments();
  const ValueType& shown_first() const;
  std::string value_type(const ValueType& type);
  std::string label(const Label& label);
  const std::string& labels(LabelSetId id);
  const std::string& time_label(TimeStep time);
  // Ids in the file are ours plus one: 0 means "none" there.
  static int64_t kind_id(FrameKind kind) { return static_cast<int64_t>(kind) + 1; }

  const Profile& profile_;
  std::vector<bool> shown_;
  std::string title_;
  std::string event_;  // shown first by readers, "": the default
  StringTable strings_;
  std::string out_;
  std::string sample_;  // scratch
  std::string packed_;  // scratch
  std::unordered_map<LabelSetId, std::string> labels_;
  std::unordered_map<TimeStep, std::string> time_labels_;
};

std::string PprofWriter::value_type(const ValueType& type) {
  std::string message;
  proto::put_number(message, proto::value_type_field::kType, strings_.id(type.type));
  proto::put_number(message, proto::value_type_field::kUnit, strings_.id(type.unit));
  return message;
}

void PprofWriter::write_sample_types() {
  for (const ValueType& type : profile_.value_types)
    proto::put_bytes(out_, proto::profile_field::kSampleType, value_type(type));
}

std::string PprofWriter::label(const Label& label) {
  std::string message;
  proto::put_number(message, proto::label_field::kKey, strings_.id(label.key));
  proto::put_number(message, proto::label_field::kText, strings_.id(label.text));
  proto::put_number(message, proto::label_field::kNumber, label.number);
  proto::put_number(message, proto::label_field::kUnit, strings_.id(label.unit));
  return message;
}

// Few sets, many samples: each set is encoded once.
const std::string& PprofWriter::labels(LabelSetId id) {
  auto [entry, is_new] = labels_.try_emplace(id);
  if (is_new) {
    for (const Label& one : profile_.label_sets()[id])
      proto::put_bytes(entry->second, proto::sample_field::kLabel, label(one));
  }
  return entry->second;
}

const std::string& PprofWriter::time_label(TimeStep time) {
  auto [entry, is_new] = time_labels_.try_emplace(time);
  int64_t begin = time * profile_.metadata.time_step_ns;
  if (is_new) entry->second = label({std::string(kTimeLabel), "", begin, std::string(kTimeUnit)});
  return entry->second;
}

void PprofWriter::write_sample(size_t index) {
  const Profile::Sample& sample = profile_.sample(index);
  packed_.clear();
  for (NodeId node = sample.stack; node != 0; node = profile_.nodes()[node].parent)
    put_varint(packed_, uint64_t{profile_.nodes()[node].location} + 1);
  sample_.clear();
  proto::put_bytes(sample_, proto::sample_field::kLocationId, packed_);
  packed_.clear();
  for (size_t type = 0; type < profile_.value_types.size(); ++type)
    put_varint(packed_, static_cast<uint64_t>(profile_.values(index)[type]));
  proto::put_bytes(sample_, proto::sample_field::kValue, packed_);
  sample_ += labels(sample.labels);
  if (profile_.metadata.time_step_ns > 0 && sample.time != kNoTime)
    proto::put_bytes(sample_, proto::sample_field::kLabel, time_label(sample.time));
  proto::put_bytes(out_, proto::profile_field::kSample, sample_);
}

void PprofWriter::write_mapping(int64_t id, std::string_view file) {
  std::string message;
  proto::put_number(message, proto::mapping_field::kId, id);
  proto::put_number(message, proto::mapping_field::kFileName, strings_.id(file));
  proto::put_number(message, proto::mapping_field::kHasFunctions, 1);
  proto::put_number(message, proto::mapping_field::kHasFileNames, 1);
  proto::put_number(message, proto::mapping_field::kHasLineNumbers, 1);
  proto::put_number(message, proto::mapping_field::kHasInlineFrames, 1);
  proto::put_bytes(out_, proto::profile_field::kMapping, message);
}

void PprofWriter::write_mappings() {
  // pprof takes the first mapping for the program and prints it above its tables.
  if (!profile_.metadata.runtime.empty()) write_mapping(kFrameKinds + 1, profile_.metadata.runtime);
  bool used[kFrameKinds] = {};
  for (const Function& function : profile_.functions()) used[static_cast<size_t>(function.kind)] = true;
  for (size_t kind = 0; kind < kFrameKinds; ++kind)
    if (used[kind]) write_mapping(kind_id(static_cast<FrameKind>(kind)), kKindWords[kind]);
}

void PprofWriter::write_locations() {
  for (LocationId id = 0; id < profile_.locations().size(); ++id) {
    const Location& location = profile_.locations()[id];
    std::string line;
    proto::put_number(line, proto::line_field::kFunctionId, int64_t{location.function} + 1);
    proto::put_number(line, proto::line_field::kLine, location.line);
    std::string message;
    proto::put_number(message, proto::location_field::kId, int64_t{id} + 1);
    proto::put_number(message, proto::location_field::kMappingId,
                      kind_id(profile_.functions()[location.function].kind));
    proto::put_bytes(message, proto::location_field::kLine, line);
    proto::put_bytes(out_, proto::profile_field::kLocation, message);
  }
}

void PprofWriter::write_functions() {
  for (FunctionId id = 0; id < profile_.functions().size(); ++id) {
    const Function& function = profile_.functions()[id];
    std::string message;
    proto::put_number(message, proto::function_field::kId, int64_t{id} + 1);
    proto::put_number(message, proto::function_field::kName, strings_.id(profile_.text(function.name)));
    proto::put_number(message, proto::function_field::kSystemName, strings_.id(profile_.text(function.system_name)));
    proto::put_number(message, proto::function_field::kFileName, strings_.id(profile_.text(function.file)));
    proto::put_bytes(out_, proto::profile_field::kFunction, message);
  }
}

void PprofWriter::write_comments() {
  packed_.clear();
  for (const std::string& comment : pprof_comments(profile_, title_))
    put_varint(packed_, static_cast<uint64_t>(strings_.id(comment)));
  proto::put_bytes(out_, proto::profile_field::kComment, packed_);
}

const ValueType& PprofWriter::shown_first() const {
  std::vector<ProfileEvent> events = events_of(profile_);
  if (events.empty()) return profile_.value_types.back();
  const ProfileEvent* asked = event_named(events, event_);
  return profile_.value_types[(asked == nullptr ? default_event(profile_, events) : *asked).weight];
}

void PprofWriter::write_metadata() {
  const Metadata& about = profile_.metadata;
  proto::put_number(out_, proto::profile_field::kTimeNanos, about.start_unix_ns);
  proto::put_number(out_, proto::profile_field::kDurationNanos, about.duration_ns);
  proto::put_number(out_, proto::profile_field::kPeriod, about.interval);
  write_comments();
  if (profile_.value_types.empty()) return;
  proto::put_bytes(out_, proto::profile_field::kPeriodType, value_type(profile_.value_types.back()));
  proto::put_number(out_, proto::profile_field::kDefaultSampleType, strings_.id(shown_first().type));
}

}  // namespace

std::vector<std::string> pprof_comments(const Profile& profile, const std::string& title) {
  std::vector<std::string> comments = quality_lines(profile.quality);
  Metadata about = profile.metadata;
  if (!title.empty()) about.title = title;
  for (const MetadataComment& comment : kMetadataComments) {
    const std::string& value = about.*comment.field;
    if (!value.empty()) comments.push_back(std::string(comment.prefix) + value);
  }
  for (const ValueType& type : profile.value_types) {
    auto add = [&](std::string_view prefix, int64_t number) {
      if (number != 0) comments.push_back(formatted("{}{}={}", prefix, type.type, number));
    };
    add(kIntervalPrefix, type.interval);
    add(kThresholdPrefix, type.threshold);
    add(kFollowedPrefix, type.followed_since_ns);
    add(kLookedPrefix, type.looked_at_ns);
  }
  if (about.time_step_ns > 0) comments.push_back(formatted("{}{}", kTimeStepPrefix, about.time_step_ns));
  for (std::string& comment : comments)
    if (!is_note(comment)) comment.insert(comment.begin(), kHiddenComment);
  comments.insert(comments.end(), about.comments.begin(), about.comments.end());
  return comments;
}

std::string write_pprof(const Profile& profile, const WriteOptions& options) {
  return deflate(PprofWriter(profile, options).write(), Wrapping::kGzip);
}

}  // namespace hearth::profile
