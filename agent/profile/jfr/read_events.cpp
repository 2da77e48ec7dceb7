#include "profile/jfr/read_events.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "profile/jfr/layout.h"
#include "profile/model/event_view.h"

namespace hearth::profile::jfr::recorded {
namespace {

constexpr std::string_view kDuration = "duration";

EventRow sampled(std::string_view type, Column column) {
  return {type, column, Weight::kPeriod, "", "", "", "", ""};
}

EventRow waited(std::string_view type, Column column, std::string_view class_field = "") {
  return {type, column, Weight::kField, kDuration, "", class_field, "", ""};
}

EventRow allocated(std::string_view type, std::string_view weight, std::string_view size, std::string_view suffix) {
  return {type, Column::kAlloc, Weight::kField, weight, size, "objectClass", "", "", Column::kNone, "", suffix};
}

EventRow thrown(std::string_view type, Column column) {
  return {type, column, Weight::kOne, "", "", "thrownClass", "", ""};
}

EventRow moved(std::string_view type, std::string_view bytes, std::string_view label_field, std::string_view label,
               Column column, Column time) {
  return {type, column, Weight::kField, bytes, "", "", label_field, label, time, kDuration};
}

// Words for states of the JDK and async-profiler without their "STATE_" and "_TIMED".
constexpr std::pair<std::string_view, std::string_view> kStates[] = {
    {"DEFAULT", kRunningState},
    {"RUNNABLE", kRunningState},
    {"IN_OBJECT_WAIT", "waiting"},
    {"BLOCKED_ON_MONITOR_ENTER", "monitor"},
};

std::string_view without_end(std::string_view text, std::string_view end) {
  bool has_it = text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
  return has_it ? text.substr(0, text.size() - end.size()) : text;
}

}  // namespace

const std::vector<EventRow>& event_rows() {
  static const std::vector<EventRow> kRows = {
      sampled(type::kExecutionSample, Column::kCpu),
      sampled(type::kWallClockSample, Column::kWall),
      {"jdk.CPUTimeSample", Column::kCpuTime, Weight::kField, "samplingPeriod", "", "", "", ""},
      {"jdk.NativeMethodSample", Column::kNativeSamples, Weight::kOne, "", "", "", "", ""},
      allocated(type::kObjectAllocationInNewTLAB, "tlabSize", "allocationSize", "_[i]"),
      allocated(type::kObjectAllocationOutsideTLAB, "allocationSize", "", "_[k]"),
      {"jdk.ObjectAllocationSample", Column::kAllocSample, Weight::kField, "weight", "", "objectClass", "", ""},
      {"jdk.OldObjectSample", Column::kLive, Weight::kField, "objectSize", "", kObjectField, "", ""},
      {type::kLiveObject, Column::kLive, Weight::kField, "allocationSize", "", "objectClass", "", ""},
      {type::kPageFault, Column::kPageFaults, Weight::kField, "weight", "", "", "", ""},
      {type::kContextSwitch, Column::kContextSwitches, Weight::kField, "weight", "", "", "", ""},
      {type::kLockHolder, Column::kHolders, Weight::kField, "weight", "", "", "", ""},
      {type::kSample, Column::kNone, Weight::kNamed, "weight", "", "", "", ""},
      waited(type::kJavaMonitorEnter, Column::kLock, "monitorClass"),
      waited(type::kThreadPark, Column::kPark, "parkedClass"),
      waited("jdk.JavaMonitorWait", Column::kMonitorWait, "monitorClass"),
      waited("jdk.ThreadSleep", Column::kSleep),
      waited("jdk.VirtualThreadPinned", Column::kPinned),
      waited(type::kNativeLock, Column::kNativeLock),
      waited(type::kWaker, Column::kWakers),
      waited(type::kVirtualWait, Column::kVirtualThreads, "parkedClass"),
      {type::kIo, Column::kIo, Weight::kField, kDuration, "", "", "", "", Column::kIoBytes, "bytes"},
      waited(type::kMethodTrace, Column::kTrace),
      {type::kMethodCall, Column::kCalls, Weight::kField, "weight", "", "", "", ""},
      {type::kMalloc, Column::kNativeMem, Weight::kField, "size", "", "", "", ""},
      {type::kLiveAllocation, Column::kNativeLive, Weight::kField, "size", "", "", "", ""},
      thrown(type::kJavaExceptionThrow, Column::kExceptions),
      thrown("jdk.JavaErrorThrow", Column::kErrors),
      moved("jdk.FileRead", "bytesRead", "path", "path", Column::kFileRead, Column::kFileReadTime),
      moved("jdk.FileWrite", "bytesWritten", "path", "path", Column::kFileWrite, Column::kFileWriteTime),
      {"jdk.FileForce", Column::kFileForceTime, Weight::kField, kDuration, "", "", "path", "path"},
      moved("jdk.SocketRead", "bytesRead", "host", "host", Column::kSocketRead, Column::kSocketReadTime),
      moved("jdk.SocketWrite", "bytesWritten", "host", "host", Column::kSocketWrite, Column::kSocketWriteTime),
  };
  return kRows;
}

std::vector<std::string_view> fields_of(const EventRow& row) {
  return {"startTime",      "sampledThread", "eventThread",   "stackTrace",    "state",          "samples", "failed",
          row.weight_field, row.size_field,  row.class_field, row.label_field, row.second_field, "weight",  "objects",
          "waits",          "labels",        "traceId",       "spanId",        "event",          "unit"};
}

std::string state_word(std::string_view state) {
  constexpr std::string_view kPrefix = "STATE_";
  if (state.substr(0, kPrefix.size()) == kPrefix) state.remove_prefix(kPrefix.size());
  state = without_end(state, "_TIMED");
  for (auto [name, word] : kStates)
    if (name == state) return std::string(word);
  std::string word(state);
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  return word;
}

}  // namespace hearth::profile::jfr::recorded
