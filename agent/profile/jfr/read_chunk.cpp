#include "profile/jfr/read_chunk.h"

#include <algorithm>
#include <set>

#include "base/formatted.h"
#include "profile/codec/utf8.h"
#include "profile/jfr/layout.h"
#include "profile/model/event_view.h"
#include "profile/model/label_values.h"

namespace hearth::profile::jfr::recorded {
namespace {

constexpr size_t kSmallTypes = 4096;
constexpr int64_t kUsualPeriodNs = 20'000'000;  // of the JDK's settings

// Classes of java.util.concurrent on which threads wait for a lock; parked elsewhere they wait for work.
bool is_lock(std::string_view class_name) {
  for (std::string_view prefix : {"java/util/concurrent/locks/Reentrant", "java/util/concurrent/Semaphore"})
    if (class_name.substr(0, prefix.size()) == prefix) return true;
  return false;
}

// The metadata event that begins at this offset.
bool is_metadata(const Input& chunk, uint64_t at) {
  try {
    Input event = chunk.from(at);
    event.number(4);
    return event.number() == kMetadataEvent;
  } catch (const FormatError&) {
    return false;
  }
}

// The last event of this kind that a walk over the chunk meets; 0: none.
size_t find_metadata(const Input& chunk) {
  size_t found = 0;
  try {
    for (size_t at = header::kSize;;) {
      Input event = chunk.from(at);
      size_t size = event.number(4);
      if (event.number() == kMetadataEvent) found = at;
      if (size == 0) break;
      at = event.from(at).part(at, at + size).at() + size;
    }
  } catch (const FormatError&) {  // the end
  }
  return found;
}

}  // namespace

ChunkReader::ChunkReader(std::string_view recording, const Chunk& chunk, Recording* sum)
    : chunk_(chunk),
      sum_(sum),
      input_(recording.substr(chunk.begin, chunk.end - chunk.begin), chunk.begin, chunk.is_compressed),
      types_(read_types()),
      constants_(input_, *types_) {
  find_readers();
}

std::shared_ptr<const Types> ChunkReader::read_types() const {
  uint64_t at = chunk_.metadata;
  bool is_there = at >= header::kSize && at < input_.left() && is_metadata(input_, at);
  if (!is_there) at = find_metadata(input_);
  if (at == 0) throw FormatError("its metadata are missing");
  Input event = input_.event_fields(at);
  event.number();  // id
  Input body = event;
  std::string_view bytes = event.take(event.left());
  if (sum_->types != nullptr && bytes == sum_->metadata) return sum_->types;
  auto types = std::make_shared<const Types>(body);
  sum_->metadata = bytes;
  sum_->types = types;
  return types;
}

void ChunkReader::add_reader(std::string_view type, const std::vector<std::string_view>& fields, Reader reader) {
  uint64_t id = types_->id_of(type);
  if (id == 0) return;
  reader.record = RecordReader(*types_, id, fields);
  const Reader* added = &(readers_[id] = std::move(reader));
  if (id < kSmallTypes) small_readers_[id] = added;
}

void ChunkReader::find_readers() {
  small_readers_.assign(kSmallTypes, nullptr);
  for (const EventRow& row : event_rows()) add_reader(row.type, fields_of(row), {&row, FactEvent::kNone, {}});
  for (size_t number = 0; number < kFactEvents; ++number) {
    auto fact = static_cast<FactEvent>(number);
    add_reader(row_of(fact).type, row_of(fact).fields, {nullptr, fact, {}});
  }
}

const ChunkReader::Reader* ChunkReader::reader_of(uint64_t type) const {
  if (type < kSmallTypes) return small_readers_[type];
  auto found = readers_.find(type);
  return found == readers_.end() ? nullptr : &found->second;
}

std::string ChunkReader::find_events() {
  Input events = input_.from(header::kSize);
  try {
    while (events.left() > 0) {
      size_t begin = events.at();
      uint64_t size = events.number(4), type = events.number();
      Input event = input_.part(events.at(), begin + size);
      if (type == kCheckpointEvent)
        checkpoints_.push_back(begin);
      else if (const Reader* reader = reader_of(type))
        events_.push_back({event.at(), begin + size, reader});
      events = input_.from(begin + size);
    }
    return "";
  } catch (const FormatError& error) {
    return error.what();
  }
}

// From the last one back to the first one.
void ChunkReader::follow_checkpoints() {
  std::set<size_t> known(checkpoints_.begin(), checkpoints_.end());
  for (uint64_t at = chunk_.constant_pools; at >= header::kSize && known.insert(at).second;) {
    Input event = input_.from(at);
    event.number(4);
    if (event.number() != kCheckpointEvent) event.fail("its constants are not where they should be");
    event.number();  // time
    event.number();  // duration
    uint64_t distance = event.number();
    if (distance == 0) break;
    at += distance;  // negative
  }
  checkpoints_.assign(known.begin(), known.end());
}

std::string ChunkReader::read() {
  std::string problem = find_events();
  if (!problem.empty()) follow_checkpoints();
  for (size_t checkpoint : checkpoints_) constants_.read(checkpoint);
  bool lacks_constants = chunk_.constant_pools >= input_.left() && constants_.stack_traces.size() == 0;
  if (lacks_constants) throw FormatError("its stacks are missing");
  Facts::Place place = {chunk_, *types_, &constants_};
  for_each(false, [&](const Reader& reader, const Record& record) {
    sum_->facts.add(reader.fact, reader.record, record, place);
  });
  set_periods();
  Stacks stacks(input_, *types_, &constants_, &sum_->names, &sum_->profile);
  for_each(true, [&](const Reader& reader, const Record& record) { add_sample(reader, record, &stacks); });
  return problem;
}

void ChunkReader::set_periods() {
  counter_ = shown_text(sum_->facts.counter());
  for (auto& [type, reader] : readers_) {
    if (reader.row == nullptr || reader.row->column == Column::kNone) continue;
    reader.period_ns = sum_->facts.period_ns(reader.row->type);
    if (reader.period_ns > 0) sum_->samples.set_interval(reader.row->column, reader.period_ns);
    if (reader.row->weight != Weight::kPeriod || reader.record.has(field::kOwnWeight)) continue;
    auto is_its = [own = &reader](const Event& event) { return event.reader == own; };
    if (reader.period_ns > 0 || std::none_of(events_.begin(), events_.end(), is_its)) continue;
    reader.period_ns = kUsualPeriodNs;
    sum_->has_known_period = false;
  }
}

template <typename Use>
void ChunkReader::for_each(bool are_samples, const Use& use) {
  for (const Event& event : events_) {
    if ((event.reader->row != nullptr) != are_samples) continue;
    Record record{};
    try {
      Input fields = input_.part(event.at, event.end);
      event.reader->record.read(&fields, &record);
      use(*event.reader, record);
    } catch (const FormatError&) {
      ++sum_->damaged;
    }
  }
}

void ChunkReader::add_sample(const Reader& reader, const Record& record, Stacks* stacks) {
  int64_t at_ns = chunk_.unix_ns(record[field::kTime]);
  if (!sum_->range.has(at_ns)) return;
  Column column = column_of(reader, record);
  int64_t weight = weight_of(reader, record, column);
  if (column == Column::kLive && !reader.record.has(field::kWeight)) sum_->has_sizes = false;
  Stack stack = stacks->of(record[field::kStack]);
  NodeId node = with_class(reader, record, stack.node, stacks);
  LabelSetId labels = labels_of(reader, record, column);
  int64_t since_ns = at_ns - sum_->begin_ns;
  sum_->samples.add(node, labels, since_ns, column, count_of(reader, record, column, weight), weight);
  count_quality(stack);
  const EventRow& row = *reader.row;
  if (row.second == Column::kNone || !reader.record.has(field::kSecond)) return;
  int64_t second = amount(reader, record, field::kSecond, row.second);
  bool has_count = second != 0 && !sum_->samples.shares_count(row.second);
  sum_->samples.add(node, labels, since_ns, row.second, has_count ? count_of(reader, record, column, weight) : 0,
                    second);
}

Column ChunkReader::column_of(const Reader& reader, const Record& record) {
  const EventRow& row = *reader.row;
  if (row.weight == Weight::kNamed) {
    std::string name = shown_text(text(reader, record, field::kEventName));
    return sum_->samples.named(name, shown_text(text(reader, record, field::kUnit)));
  }
  if (row.column == Column::kPark && is_lock(constants_.class_name(record[field::kObject]))) return Column::kLock;
  if (row.column != Column::kCpu) return row.column;
  if (counter_ == "page-faults") return Column::kPageFaults;
  if (counter_ == "context-switches") return Column::kContextSwitches;
  if (!counter_.empty()) return sum_->samples.named(counter_, "count");
  // async-profiler's before WallClockSample.
  bool is_asleep = constants_.word(constants_.thread_states, record[field::kState]) == "STATE_SLEEPING";
  return is_asleep ? Column::kWall : Column::kCpu;
}

int64_t ChunkReader::amount(const Reader& reader, const Record& record, size_t number, Column column) const {
  if (sum_->samples.is_duration(column)) return duration_ns(chunk_, reader.record.unit(number), record[number]);
  return std::max<int64_t>(0, static_cast<int64_t>(record[number]));
}

int64_t ChunkReader::weight_of(const Reader& reader, const Record& record, Column column) {
  const EventRow& row = *reader.row;
  if (reader.record.has(field::kOwnWeight)) return amount(reader, record, field::kOwnWeight, column);
  if (row.weight == Weight::kOne) return 1;
  if (row.weight != Weight::kPeriod) return amount(reader, record, field::kWeight, column);
  int64_t weight = 0, count = count_of(reader, record, column, 0);
  if (column != row.column) sum_->samples.set_interval(column, reader.period_ns);
  return __builtin_mul_overflow(reader.period_ns, count, &weight) ? INT64_MAX : weight;
}

// Samples that a sample stands for, or objects: those of the sampled one's size that have its weight together.
int64_t ChunkReader::count_of(const Reader& reader, const Record& record, Column column, int64_t weight) {
  for (size_t number : {field::kSampleCount, field::kObjects, field::kWaits})
    if (reader.record.has(number)) return std::max<int64_t>(0, static_cast<int64_t>(record[number]));
  bool is_of_many = column == Column::kAlloc && reader.record.has(field::kSize) && record[field::kSize] > 0;
  if (!is_of_many) return 1;
  uint64_t size = record[field::kSize];
  return std::max<int64_t>(1, static_cast<int64_t>((static_cast<uint64_t>(weight) + size / 2) / size));
}

NodeId ChunkReader::with_class(const Reader& reader, const Record& record, NodeId stack, Stacks* stacks) {
  if (!reader.record.has(field::kObject)) return stack;
  uint64_t object = record[field::kObject];
  if (reader.row->class_field != kObjectField) return stacks->with_class(stack, object, reader.row->class_suffix);
  std::optional<uint32_t> known = constants_.old_objects.find(object);
  return known ? stacks->with_class(stack, constants_.old_objects.field(*known, field::kObjectClass), "") : stack;
}

LabelSet ChunkReader::thread_labels(uint64_t thread) {
  std::optional<uint32_t> known = constants_.threads.find(thread);
  if (!known) return {};
  const Pool& threads = constants_.threads;
  std::string name(constants_.string_at(threads.field(*known, field::kJavaName)));
  if (name.empty()) name = constants_.string_at(threads.field(*known, field::kOsName));
  uint64_t tid = threads.field(*known, field::kOsThread);
  if (name.empty()) name = tid == 0 ? "virtual" : "?";
  LabelSet labels = {{std::string(kThreadLabel), shown_text(name), 0, ""}};
  if (tid != 0) labels.push_back({"tid", "", static_cast<int64_t>(tid), ""});
  return labels;
}

// "key=value;key=value", where a backslash comes before each of these signs in a text.
void ChunkReader::add_own_labels(const Reader& reader, const Record& record, LabelSet* labels) {
  std::string parts[2];
  size_t part = 0;
  auto put = [&] {
    if (part == 1) labels->push_back({shown_text(parts[0]), parts[1], 0, ""});
    parts[0].clear();
    parts[1].clear();
    part = 0;
  };
  std::string_view own = text(reader, record, field::kLabels);
  for (size_t at = 0; at < own.size(); ++at) {
    bool is_escaped = own[at] == '\\' && at + 1 < own.size();
    if (is_escaped) ++at;
    if (!is_escaped && own[at] == ';')
      put();
    else if (!is_escaped && own[at] == '=' && part == 0)
      part = 1;
    else
      parts[part] += own[at];
  }
  put();
  for (auto [number, key] : {std::pair(field::kTraceId, kTraceIdLabel), {field::kSpanId, kSpanIdLabel}})
    if (std::string_view id = text(reader, record, number); !id.empty())
      labels->push_back({std::string(key), shown_text(id), 0, ""});
}

LabelSetId ChunkReader::labels_of(const Reader& reader, const Record& record, Column column) {
  const RecordReader& fields = reader.record;
  uint64_t thread = record[fields.has(field::kSampledThread) ? field::kSampledThread : field::kEventThread];
  // Sessions have states of wall time alone; elsewhere they keep samples of CPU time apart from those of other events.
  bool has_state = fields.has(field::kState) && (column == Column::kWall || !fields.has(field::kOwnWeight));
  uint64_t state = has_state ? record[field::kState] : 0;
  bool has_inline = fields.has(field::kLabels) && !fields.is_constant(field::kLabels);
  bool is_known_by_ids = record[field::kLabel] == 0 && !has_inline;
  std::array<uint64_t, 5> ids = {thread, state, record[field::kLabels], record[field::kTraceId],
                                 record[field::kSpanId]};
  if (is_known_by_ids)
    if (auto known = labels_.find(ids); known != labels_.end()) return known->second;
  LabelSet labels = thread_labels(thread);
  add_own_labels(reader, record, &labels);
  auto is_state = [](const Label& label) { return label.key == kStateLabel; };
  if (has_state && std::none_of(labels.begin(), labels.end(), is_state)) {
    std::string word = shown_text(state_word(constants_.word(constants_.thread_states, state)));
    if (!word.empty()) labels.push_back({std::string(kStateLabel), word, 0, ""});
  }
  std::string label = shown_text(text(reader, record, field::kLabel));
  if (!label.empty()) labels.push_back({std::string(reader.row->label), label, 0, ""});
  for (const Label& one : labels) sum_->names.spend(sizeof one + one.text.size(), {{}, "the recording"});
  LabelSetId id = sum_->profile.label_set(std::move(labels));
  if (is_known_by_ids) labels_[ids] = id;
  return id;
}

void ChunkReader::count_quality(const Stack& stack) {
  Quality& quality = sum_->profile.quality;
  ++quality.samples;
  if (stack.node == 0) ++quality.failures["unknown"];
  quality.truncated += stack.is_truncated ? 1 : 0;
  quality.java_samples += stack.has_java ? 1 : 0;
  quality.whole += stack.has_java && !stack.is_truncated ? 1 : 0;
}

}  // namespace hearth::profile::jfr::recorded
