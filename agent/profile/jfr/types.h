// The types of the recordings that hearth writes: one row for each, with its fields in the order in which they are
// encoded. Types of the JDK and of async-profiler have their names and fields; fields of our own come after those.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "profile/model/event_kinds.h"

namespace hearth::profile::jfr {

// Numbers in our files. Those of events are below 128, so that each takes one byte.
enum class TypeId : uint8_t {
  kNone = 0,
  kBoolean = 4,
  kByte,
  kInt,
  kLong,
  kFloat,
  kDouble,
  kString = 20,
  kClass,
  kThread,
  kClassLoader,
  kFrameType,
  kThreadState,
  kStackTrace,
  kStackFrame,
  kMethod,
  kPackage,
  kSymbol,
  kLabel = 60,
  kCategory,
  kDescription,
  kTimestamp,
  kTimespan,
  kDataAmount,
  kUnsigned,
  kMemoryAddress,
  kPercentage,
  kUserEventType,
  kWindow = 99,
  kUserEvent,
  kExecutionSample,
  kWallClockSample,
  kPageFault,
  kContextSwitch,
  kAllocationInNewTlab,
  kAllocationOutsideTlab,
  kMonitorEnter,
  kThreadPark,
  kLiveObject,
  kOtherSample,
  kActiveRecording,
  kActiveSetting,
  kJvmInformation,
  kOsInformation,
  kCpuInformation,
  kSystemProperty,
  kNativeLibrary,
  kCpuLoad,
  kGcPause,
  kQuality,
  kReportedSpan,
  kProcessSample,
  kMalloc,
  kFree,
  kLiveAllocation,
  kNativeLock,
  kMethodCall,
  kMethodTrace,
  kExceptionThrow,
  kLockHolder,
  kIo,
  kWaker,
  kVirtualWait,
};

// The meaning of a number, written as annotations of its field.
enum class Unit : uint8_t {
  kNone,
  kTicks,     // a time
  kTickSpan,  // a duration
  kNanoSpan,
  kMilliSpan,
  kEpochMilli,
  kBytes,
  kUnsigned,
  kAddress,
  kPercent,
  kOwnSize  // of this field and those behind it; no value is given
};

struct FieldRow {
  // In a constant pool: the value is a number there.
  enum Storage : uint8_t { kInline, kPool, kArray };

  std::string_view name;
  std::string_view label;
  TypeId type;
  Unit unit = Unit::kNone;
  Storage storage = kInline;
};

struct TypeRow {
  enum Super : uint8_t { kNoSuper, kEvent, kAnnotation };

  TypeId id;
  std::string_view name;
  std::string_view label;
  Super super = kNoSuper;
  std::vector<std::string_view> category;
  std::vector<FieldRow> fields;
};

// All types, in the order of the metadata.
const std::vector<TypeRow>& type_rows();
const TypeRow& row_of(TypeId type);
// The number of a type in a file whose events have numbers from `first_event` on.
int64_t number_in_file(TypeId type, int64_t first_event);
// The type of an event's samples, which alloc and lock have a second one of (write_samples.cpp); kOtherSample for null.
TypeId sample_type(const EventKind* event);

// States of threads, as async-profiler has them: its converter tells samples of CPU time and of time apart by the first
// one, and asks for a state by its name. Labels have the kind of a wait.
inline constexpr std::string_view kThreadStates[] = {"STATE_DEFAULT", "STATE_RUNNABLE", "STATE_SLEEPING"};
// The number of a state in our files, by the word of the label `state` in profiles; "": a sample of CPU time.
int64_t thread_state_number(std::string_view word);

}  // namespace hearth::profile::jfr
