#include "profile/jfr/write_samples.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/formatted.h"
#include "base/text_parts.h"
#include "profile/analysis/sampling_variance.h"
#include "profile/formats/frame_text.h"
#include "profile/model/event_view.h"
#include "profile/model/label_values.h"

namespace hearth::profile::jfr {
namespace {

constexpr std::string_view kNoDescriptor = "()L;";
constexpr std::string_view kInTlab = "_[i]", kOutsideTlab = "_[k]";

// Slashes for dots, in a name of dots alone.
std::string_view with_slashes(std::string_view name, std::string* scratch) {
  if (name.find('/') != std::string_view::npos || name.find('.') == std::string_view::npos) return name;
  *scratch = name;
  std::replace(scratch->begin(), scratch->end(), '.', '/');
  return *scratch;
}

MethodParts java_parts(std::string_view name, std::string* scratch) {
  size_t open = name.find('(');
  std::string_view descriptor = open == std::string_view::npos ? kNoDescriptor : name.substr(open);
  name = name.substr(0, open);
  size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return {"", name, descriptor};
  return {with_slashes(name.substr(0, dot), scratch), name.substr(dot + 1), descriptor};
}

void append_escaped(std::string_view text, std::string* out) {
  for (char c : text) {
    if (c == ';' || c == '=' || c == '\\') out->push_back('\\');
    out->push_back(c);
  }
}

void append_label(std::string_view key, std::string_view value, std::string* out) {
  if (!out->empty()) out->push_back(';');
  append_escaped(key, out);
  out->push_back('=');
  append_escaped(value, out);
}

char primitive_letter(std::string_view name) {
  constexpr std::pair<std::string_view, char> kPrimitives[] = {{"byte", 'B'},  {"char", 'C'},   {"double", 'D'},
                                                               {"float", 'F'}, {"int", 'I'},    {"long", 'J'},
                                                               {"short", 'S'}, {"boolean", 'Z'}};
  for (auto [word, letter] : kPrimitives)
    if (word == name) return letter;
  return 0;
}

void put_allocation(const SampleRecord& sample, ChunkWriter* writer) {
  if (sample.place == Place::kOutside)
    writer->event(TypeId::kAllocationOutsideTlab,
                  {sample.ticks, sample.thread, sample.stack, sample.object, sample.weight, sample.labels, sample.trace,
                   sample.span, sample.count});
  else
    writer->event(TypeId::kAllocationInNewTlab,
                  {sample.ticks, sample.thread, sample.stack, sample.object, sample.size, sample.weight, sample.labels,
                   sample.trace, sample.span, sample.count});
}

int64_t ticks_of(int64_t ns, const ChunkClock& clock) {
  constexpr double kNanoseconds = 1e9;
  if (clock.ticks_per_second == static_cast<int64_t>(kNanoseconds)) return ns;
  return static_cast<int64_t>(static_cast<double>(ns) * static_cast<double>(clock.ticks_per_second) / kNanoseconds);
}

// The weight is the sum of the waits that the sample represents, which ended at its time.
void put_wait(TypeId type, const SampleRecord& sample, ChunkWriter* writer) {
  constexpr int64_t kUnknown = 0;
  const ChunkClock& clock = writer->clock();
  int64_t ticks = ticks_of(sample.weight, clock);
  int64_t start = std::max(sample.ticks - ticks, clock.ticks);
  if (type == TypeId::kWaker)
    writer->event(type, {start, ticks, sample.thread, sample.stack, sample.labels, sample.trace, sample.span,
                         sample.weight, sample.count});
  else if (type == TypeId::kVirtualWait)
    writer->event(type, {start, ticks, sample.thread, sample.stack, sample.object, sample.labels, sample.trace,
                         sample.span, sample.weight, sample.count});
  else if (type == TypeId::kNativeLock || type == TypeId::kIo)
    writer->event(type, {start, ticks, sample.thread, sample.stack, type == TypeId::kIo ? sample.bytes : sample.address,
                         sample.labels, sample.trace, sample.span, sample.weight, sample.count});
  else if (sample.is_parked)
    writer->event(TypeId::kThreadPark,
                  {start, ticks, sample.thread, sample.stack, sample.object, kUnknown, kUnknown, kUnknown,
                   sample.labels, sample.trace, sample.span, sample.weight, sample.count});
  else
    writer->event(TypeId::kMonitorEnter, {start, ticks, sample.thread, sample.stack, sample.object, kUnknown, kUnknown,
                                          sample.labels, sample.trace, sample.span, sample.weight, sample.count});
}

// The weight is the sum of the calls' times, which ended at the sample's. The method, which is that of the innermost
// frame, is left out as async-profiler does.
void put_traced(const SampleRecord& sample, ChunkWriter* writer) {
  constexpr int64_t kNoMethod = 0;
  const ChunkClock& clock = writer->clock();
  int64_t ticks = ticks_of(sample.weight, clock);
  int64_t start = std::max(sample.ticks - ticks, clock.ticks);
  writer->event(TypeId::kMethodTrace, {start, ticks, sample.thread, sample.stack, kNoMethod, sample.labels,
                                       sample.trace, sample.span, sample.weight, sample.count});
}

// Without an address the record is of many allocations, and its size is that of all.
void put_native(const SampleRecord& sample, ChunkWriter* writer) {
  int64_t size = sample.address != 0 ? sample.size : sample.weight;
  writer->event(TypeId::kMalloc, {sample.ticks, sample.thread, sample.stack, sample.address, size, sample.labels,
                                  sample.trace, sample.span, sample.weight, sample.count});
}

// Whether one record represents several samples; of other events each record is a sample.
bool counts_in_record(const SampledEvent& event) {
  if (event.kind == nullptr || event.kind->counts_objects()) return true;
  return sample_type(event.kind) == TypeId::kWallClockSample;
}

void put_sample(const SampledEvent& event, const SampleRecord& sample, ChunkWriter* writer) {
  constexpr int64_t kNoTime = 0;
  TypeId type = sample_type(event.kind);
  switch (type) {
    case TypeId::kExecutionSample:
    case TypeId::kPageFault:
    case TypeId::kContextSwitch:
    case TypeId::kMethodCall:
    case TypeId::kLockHolder:
      return writer->event(type, {sample.ticks, sample.thread, sample.stack, sample.state, sample.labels, sample.trace,
                                  sample.span, sample.weight});
    case TypeId::kWallClockSample:
      return writer->event(type, {sample.ticks, sample.thread, sample.stack, sample.state, sample.count, sample.labels,
                                  sample.trace, sample.span, sample.weight});
    case TypeId::kAllocationInNewTlab:
      return put_allocation(sample, writer);
    case TypeId::kMalloc:
      return put_native(sample, writer);
    case TypeId::kLiveAllocation:
      return writer->event(type, {sample.ticks, sample.thread, sample.stack, sample.weight, sample.labels, sample.trace,
                                  sample.span, sample.count});
    case TypeId::kExceptionThrow:
      return writer->event(type, {sample.ticks, sample.thread, sample.stack, sample.message, sample.object,
                                  sample.labels, sample.trace, sample.span, sample.weight});
    case TypeId::kMethodTrace:
      return put_traced(sample, writer);
    case TypeId::kMonitorEnter:
    case TypeId::kNativeLock:
    case TypeId::kIo:
    case TypeId::kWaker:
    case TypeId::kVirtualWait:
      return put_wait(type, sample, writer);
    case TypeId::kLiveObject:
      return writer->event(type, {sample.ticks, sample.thread, sample.stack, sample.object, sample.weight, kNoTime,
                                  sample.labels, sample.trace, sample.span, sample.count});
    default:
      return writer->event(TypeId::kOtherSample,
                           {sample.ticks, sample.thread, sample.stack, std::string_view(event.name), sample.weight,
                            std::string_view(event.unit), sample.count, sample.labels, sample.trace, sample.span});
  }
}

}  // namespace

void put_samples(const SampledEvent& event, const SampleRecord& total, int64_t span, ChunkWriter* writer) {
  SampleRecord one = total;
  // More samples than these of one stack are as many records, whose weights have the whole sum.
  constexpr int64_t kMostRecords = 10'000;
  int64_t records = counts_in_record(event) ? 1 : std::clamp<int64_t>(total.count, 1, kMostRecords);
  int64_t share = total.weight / records, more = total.weight % records;
  for (int64_t number = 0; number < records; ++number) {
    auto part = static_cast<double>(number) / static_cast<double>(records);
    one.ticks = total.ticks + static_cast<int64_t>(static_cast<double>(span) * part);
    one.weight = share + (number == 0 ? more : 0);
    if (records > 1) one.count = 1;
    put_sample(event, one, writer);
  }
}

void put_release(int64_t ticks, int64_t thread, int64_t address, ChunkWriter* writer) {
  constexpr int64_t kNoStack = 0;
  writer->event(TypeId::kFree, {ticks, thread, kNoStack, address});
}

void put_span(int64_t start_ns, int64_t end_ns, int64_t thread, std::string_view tag, ChunkWriter* writer) {
  // The times are the program's, and any numbers.
  uint64_t length = end_ns > start_ns ? static_cast<uint64_t>(end_ns) - static_cast<uint64_t>(start_ns) : 0;
  int64_t duration = ticks_of(static_cast<int64_t>(std::min<uint64_t>(length, INT64_MAX)), writer->clock());
  writer->event(TypeId::kReportedSpan, {start_ns, duration, thread, writer->text(tag)});
}

void put_user_event(int64_t at_ns, int64_t thread, std::string_view type, std::string_view content,
                    ChunkWriter* writer) {
  std::string text;
  for (char letter : content) put_utf8(static_cast<uint8_t>(letter), &text);
  writer->event(TypeId::kUserEvent, {at_ns, thread, writer->user_event_type(type), std::string_view(text)});
}

MethodParts method_parts(const Profile& profile, const Function& function, std::string* scratch) {
  std::string_view name = profile.text(function.system_name);
  if (name.empty()) name = profile.text(function.name);
  if (is_java(function.kind)) return java_parts(name, scratch);
  constexpr std::string_view kCpu = "[CPU-";  // without brackets in recordings, as async-profiler writes it
  if (function.kind == FrameKind::kMarker && name.substr(0, kCpu.size()) == kCpu)
    return {"", name.substr(1, name.size() - 2), kNoDescriptor, true};
  if (function.kind == FrameKind::kClass) return {with_slashes(name, scratch), "", kNoDescriptor, true};
  size_t quote = function.kind == FrameKind::kNative || function.kind == FrameKind::kCpp ? name.find('`') : name.npos;
  if (quote == std::string_view::npos) return {"", name, kNoDescriptor, true};
  return {name.substr(0, quote), name.substr(quote + 1), kNoDescriptor, true};
}

ClassOfObject class_of_object(std::string_view shown) {
  ClassOfObject result;
  if (ends_with(shown, kInTlab)) result.place = Place::kTlab;
  if (ends_with(shown, kOutsideTlab)) result.place = Place::kOutside;
  if (result.place != Place::kUnknown) shown.remove_suffix(kInTlab.size());
  size_t dimensions = 0;
  for (; ends_with(shown, "[]"); ++dimensions) shown.remove_suffix(2);
  std::string base(shown);
  std::replace(base.begin(), base.end(), '.', '/');
  char letter = dimensions > 0 ? primitive_letter(base) : 0;
  result.name = std::string(dimensions, '[');
  if (letter != 0) {
    result.name += letter;
  } else if (dimensions > 0) {
    result.name += formatted("L{};", base);
  } else {
    result.name = base;
  }
  return result;
}

bool is_park(const Profile& profile, const Function& function) {
  std::string_view name = profile.text(function.system_name);
  return name.find("misc/Unsafe.park") != std::string_view::npos ||
         name.find("misc.Unsafe.park") != std::string_view::npos;
}

LabelFields fields_of(const LabelSet& labels, const SampledEvent& event) {
  bool has_size =
      event.kind != nullptr && (event.kind->label == SampleLabel::kSize || event.kind->label == SampleLabel::kTimeAge);
  LabelFields fields;
  for (const Label& label : labels) {
    if (label.key == kThreadLabel) {
      fields.thread = label.text;
    } else if (label.key == kTidLabel) {
      fields.tid = label.number;
    } else if (label.key == kTraceIdLabel) {
      fields.trace = label.text;
    } else if (label.key == kSpanIdLabel) {
      fields.span = label.text;
    } else if (label.key == kSizeLabel && has_size) {
      fields.size = label.number;
    } else if (label.key == kStateLabel && label.text == kRunningState) {
      fields.state = label.text;
    } else {
      if (label.key == kStateLabel) fields.state = label.text;
      if (label.key == kMessageLabel) fields.message = label.text;
      append_label(label.key, label_text(label), &fields.others);
    }
  }
  return fields;
}

}  // namespace hearth::profile::jfr
