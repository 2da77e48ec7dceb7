#include <algorithm>
#include <unordered_map>

#include "profile/formats/formats.h"
#include "profile/jfr/write_chunk.h"
#include "profile/jfr/write_facts.h"
#include "profile/jfr/write_samples.h"
#include "profile/model/event_view.h"
#include "profile/model/stack_filter.h"

namespace hearth::profile {
namespace {

using namespace jfr;

// Writes a profile as a recording of one chunk.
class RecordingWriter {
 public:
  RecordingWriter(const Profile& profile, const WriteOptions& options)
      : profile_(profile),
        shown_(shown_stacks(profile, options)),
        writer_({profile.metadata.start_unix_ns, kFirstTick}),
        methods_(profile.functions().size()) {
    for (const ProfileEvent& event : events_of(profile)) {
      const ValueType& weight = profile.value_types[event.weight];
      events_.push_back({{event_kind(event.name), event.name, weight.unit}, event.count, event.weight});
    }
    // A value of other programs is the usual event if there is no other.
    if (events_.empty() && !profile.value_types.empty()) add_values_of_others();
  }

  std::string write(const WriteOptions& options) {
    Metadata about = profile_.metadata;
    if (!options.title.empty()) about.title = options.title;
    put_about(about, {}, &writer_);
    put_intervals(profile_, &writer_);
    for (size_t index = 0; index < profile_.sample_count(); ++index)
      if (shown_[profile_.sample(index).stack]) put(index);
    int64_t end = kFirstTick + profile_.metadata.duration_ns;
    put_quality(profile_.quality, end, &writer_);
    std::string chunk = writer_.take_piece(end);
    return chunk.replace(0, writer_.header(0).size(), writer_.header(profile_.metadata.duration_ns));
  }

 private:
  static constexpr int64_t kFirstTick = 1;  // ticks are nanoseconds from here

  struct EventValues {
    SampledEvent event;
    size_t count;
    size_t weight;
  };
  struct StackNumbers {
    int64_t stack = 0;
    int64_t object = 0;
    Place place = Place::kUnknown;
    bool is_parked = false;
  };

  void add_values_of_others() {
    for (size_t value = 0; value < profile_.value_types.size(); ++value) {
      const ValueType& type = profile_.value_types[value];
      const EventKind* cpu = profile_.value_types.size() == 1 ? event_kind("cpu") : nullptr;
      events_.push_back({{cpu, type.type, type.unit}, value, value});
    }
  }

  void put(size_t index) {
    const Profile::Sample& sample = profile_.sample(index);
    const int64_t* values = profile_.values(index);
    for (const EventValues& event : events_) {
      int64_t count = is_shared(event, values) ? 0 : values[event.count];
      if (count != 0 || values[event.weight] != 0) put_records(event, sample, count, values[event.weight]);
    }
  }

  // Whether the count is that of samples of another event: those of several are counted together.
  bool is_shared(const EventValues& event, const int64_t* values) const {
    return values[event.weight] == 0 && std::any_of(events_.begin(), events_.end(), [&](const EventValues& other) {
             return other.count == event.count && values[other.weight] != 0;
           });
  }

  // Times are known to a step. Samples without a time are spread over the whole profile.
  void put_records(const EventValues& event, const Profile::Sample& sample, int64_t count, int64_t weight) {
    SampleRecord record = record_of(event.event, sample);
    int64_t step = profile_.metadata.time_step_ns;
    bool has_time = sample.time != kNoTime && step > 0;
    record.ticks = kFirstTick + (has_time ? step * sample.time : 0);
    record.count = count;
    record.weight = weight;
    put_samples(event.event, record, has_time ? step : profile_.metadata.duration_ns, &writer_);
  }

  SampleRecord record_of(const SampledEvent& event, const Profile::Sample& sample) {
    const StackNumbers& numbers = stack(sample.stack);
    LabelFields labels = fields_of(profile_.label_sets()[sample.labels], event);
    SampleRecord record;
    record.stack = numbers.stack;
    record.object = numbers.object;
    record.place = numbers.place;
    record.is_parked = numbers.is_parked;
    if (!labels.thread.empty() || labels.tid != 0) record.thread = writer_.thread(labels.thread, labels.tid);
    record.state = thread_state_number(labels.state);
    record.size = labels.size;
    record.message = writer_.text(labels.message);
    record.labels = writer_.text(labels.others);
    record.trace = writer_.text(labels.trace);
    record.span = writer_.text(labels.span);
    return record;
  }

  const Function& function_of(NodeId node) const { return profile_.functions()[profile_.function_of(node)]; }

  const StackNumbers& stack(NodeId leaf) {
    auto [found, is_new] = stacks_.try_emplace(leaf);
    if (!is_new) return found->second;
    StackNumbers numbers;
    NodeId node = leaf;
    if (node != 0 && function_of(node).kind == FrameKind::kClass) {
      ClassOfObject object = class_of_object(profile_.text(function_of(node).name));
      numbers.object = writer_.java_class(object.name);
      numbers.place = object.place;
      node = profile_.nodes()[node].parent;
    }
    numbers.is_parked = node != 0 && is_park(profile_, function_of(node));
    numbers.stack = stack_without_object(node);
    return stacks_[leaf] = numbers;  // looked up again: others may have been inserted meanwhile
  }

  int64_t stack_without_object(NodeId leaf) {
    int64_t& number = plain_stacks_[leaf];
    if (number != 0) return number;
    frames_.clear();
    bool is_truncated = false;
    for (NodeId node = leaf; node != 0; node = profile_.nodes()[node].parent) {
      const Location& location = profile_.locations()[profile_.nodes()[node].location];
      const Function& function = profile_.functions()[location.function];
      if (function.kind == FrameKind::kThread) continue;
      is_truncated =
          is_truncated || (function.kind == FrameKind::kMarker && profile_.text(function.name) == "[truncated]");
      frames_.push_back({method(location.function), location.line, 0, asprof_frame_type(function.kind)});
    }
    return number = writer_.stack(frames_, is_truncated);
  }

  int64_t method(FunctionId id) {
    if (methods_[id] == 0) methods_[id] = writer_.method(method_parts(profile_, profile_.functions()[id], &scratch_));
    return methods_[id];
  }

  const Profile& profile_;
  const std::vector<bool> shown_;
  ChunkWriter writer_;
  std::vector<EventValues> events_;
  std::vector<int64_t> methods_;  // by function; 0: not written yet
  std::unordered_map<NodeId, StackNumbers> stacks_;
  std::unordered_map<NodeId, int64_t> plain_stacks_;
  std::vector<StackEntry> frames_;
  std::string scratch_;
};

}  // namespace

std::string write_jfr(const Profile& profile, const WriteOptions& options) {
  return RecordingWriter(profile, options).write(options);
}

}  // namespace hearth::profile
