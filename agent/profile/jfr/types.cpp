#include "profile/jfr/types.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/formatted.h"
#include "profile/jfr/layout.h"
#include "profile/model/event_view.h"

namespace hearth::profile::jfr {
namespace {

using Rows = std::vector<TypeRow>;
using Fields = std::vector<FieldRow>;

constexpr FieldRow kStart = {"startTime", "Start Time", TypeId::kLong, Unit::kTicks};
constexpr FieldRow kDuration = {"duration", "Duration", TypeId::kLong, Unit::kTickSpan};
constexpr FieldRow kEventThread = {"eventThread", "Event Thread", TypeId::kThread, Unit::kNone, FieldRow::kPool};
constexpr FieldRow kSampledThread = {"sampledThread", "Thread", TypeId::kThread, Unit::kNone, FieldRow::kPool};
constexpr FieldRow kStack = {"stackTrace", "Stack Trace", TypeId::kStackTrace, Unit::kNone, FieldRow::kPool};
constexpr FieldRow kState = {"state", "Thread State", TypeId::kThreadState, Unit::kNone, FieldRow::kPool};
constexpr FieldRow kObjectClass = {"objectClass", "Object Class", TypeId::kClass, Unit::kNone, FieldRow::kPool};
constexpr FieldRow kAllocationSize = {"allocationSize", "Allocation Size", TypeId::kLong, Unit::kBytes};
constexpr FieldRow kAddress = {"address", "Monitor Address", TypeId::kLong, Unit::kAddress};

// Fields of hearth in events of others. async-profiler's converter, and the readers made of it, know the events that it
// writes by their first fields and take what follows for another event: so that follows as one, with its size, and with
// the number of `labels` as its type, which is that of no event.
constexpr FieldRow kOwnSize = {"ownSize", "Bytes of hearth's Fields", TypeId::kInt, Unit::kOwnSize};
constexpr FieldRow kNanoseconds = {"weight", "Time That the Sample Represents", TypeId::kLong, Unit::kNanoSpan};
constexpr FieldRow kObjects = {"objects", "Objects That the Sample Represents", TypeId::kLong};
constexpr FieldRow kWaits = {"waits", "Waits That the Sample Represents", TypeId::kLong};
constexpr FieldRow kLabels = {"labels", "Labels", TypeId::kString, Unit::kNone, FieldRow::kPool};
constexpr FieldRow kTrace = {"traceId", "Trace Id", TypeId::kString, Unit::kNone, FieldRow::kPool};
constexpr FieldRow kSpan = {"spanId", "Span Id", TypeId::kString, Unit::kNone, FieldRow::kPool};

constexpr FieldRow text(std::string_view name, std::string_view label) {
  return {name, label, TypeId::kString};
}

constexpr FieldRow pooled(std::string_view name, std::string_view label, TypeId type) {
  return {name, label, type, Unit::kNone, FieldRow::kPool};
}

constexpr FieldRow number(std::string_view name, std::string_view label, Unit unit = Unit::kNone) {
  return {name, label, TypeId::kLong, unit};
}

constexpr FieldRow small(std::string_view name, std::string_view label, Unit unit = Unit::kNone) {
  return {name, label, TypeId::kInt, unit};
}

TypeRow plain(TypeId id, std::string_view name, std::string_view label = "", Fields fields = {}) {
  return {id, name, label, TypeRow::kNoSuper, {}, std::move(fields)};
}

TypeRow annotation(TypeId id, std::string_view name, bool has_value = false) {
  Fields fields;
  if (has_value) fields.push_back(text("value", ""));
  return {id, name, "", TypeRow::kAnnotation, {}, std::move(fields)};
}

TypeRow event(TypeId id, std::string_view name, std::string_view label, std::vector<std::string_view> category,
              Fields fields) {
  return {id, name, label, TypeRow::kEvent, std::move(category), std::move(fields)};
}

void add_constants(Rows* rows) {
  const Rows more = {
      plain(TypeId::kBoolean, "boolean"),
      plain(TypeId::kByte, "byte"),
      plain(TypeId::kInt, "int"),
      plain(TypeId::kLong, "long"),
      plain(TypeId::kFloat, "float"),
      plain(TypeId::kDouble, "double"),
      plain(TypeId::kString, type::kString),
      plain(TypeId::kClass, type::kClass, "Java Class",
            {pooled("classLoader", "Class Loader", TypeId::kClassLoader), pooled("name", "Name", TypeId::kSymbol),
             pooled("package", "Package", TypeId::kPackage), small("modifiers", "Access Modifiers")}),
      plain(TypeId::kThread, type::kThread, "Thread",
            {text("osName", "OS Thread Name"), number("osThreadId", "OS Thread Id"),
             text("javaName", "Java Thread Name"), number("javaThreadId", "Java Thread Id")}),
      plain(TypeId::kClassLoader, "jdk.types.ClassLoader", "Java Class Loader",
            {pooled("type", "Type", TypeId::kClass), pooled("name", "Name", TypeId::kSymbol)}),
      plain(TypeId::kFrameType, type::kFrameType, "Frame type", {text("description", "Description")}),
      plain(TypeId::kThreadState, type::kThreadState, "Java Thread State", {text("name", "Name")}),
      plain(TypeId::kStackTrace, type::kStackTrace, "Stacktrace",
            {{"truncated", "Truncated", TypeId::kBoolean},
             {"frames", "Stack Frames", TypeId::kStackFrame, Unit::kNone, FieldRow::kArray}}),
      plain(TypeId::kStackFrame, type::kStackFrame, "",
            {pooled("method", "Java Method", TypeId::kMethod), small("lineNumber", "Line Number"),
             small("bytecodeIndex", "Bytecode Index"), pooled("type", "Frame Type", TypeId::kFrameType)}),
      plain(TypeId::kMethod, type::kMethod, "Java Method",
            {pooled("type", "Type", TypeId::kClass),
             pooled("name", "Name", TypeId::kSymbol),
             pooled("descriptor", "Descriptor", TypeId::kSymbol),
             small("modifiers", "Access Modifiers"),
             {"hidden", "Hidden", TypeId::kBoolean}}),
      plain(TypeId::kPackage, "jdk.types.Package", "Package", {pooled("name", "Name", TypeId::kSymbol)}),
      plain(TypeId::kSymbol, type::kSymbol, "Symbol", {text("string", "String")}),
      plain(TypeId::kUserEventType, "profiler.types.UserEventType", "User-Defined Event Type", {text("name", "Name")}),
  };
  rows->insert(rows->end(), more.begin(), more.end());
}

void add_annotations(Rows* rows) {
  const Rows more = {
      annotation(TypeId::kLabel, "jdk.jfr.Label", true),
      {TypeId::kCategory,
       "jdk.jfr.Category",
       "",
       TypeRow::kAnnotation,
       {},
       {{"value", "", TypeId::kString, Unit::kNone, FieldRow::kArray}}},
      annotation(TypeId::kTimestamp, "jdk.jfr.Timestamp", true),
      annotation(TypeId::kTimespan, "jdk.jfr.Timespan", true),
      annotation(TypeId::kDataAmount, "jdk.jfr.DataAmount", true),
      annotation(TypeId::kUnsigned, "jdk.jfr.Unsigned"),
      annotation(TypeId::kMemoryAddress, "jdk.jfr.MemoryAddress"),
      annotation(TypeId::kPercentage, "jdk.jfr.Percentage"),
  };
  rows->insert(rows->end(), more.begin(), more.end());
}

void add_samples(Rows* rows) {
  const std::vector<std::string_view> jvm = {"Java Virtual Machine", "Profiling"}, application = {"Java Application"};
  const Rows more = {
      event(TypeId::kExecutionSample, type::kExecutionSample, "Method Profiling Sample", jvm,
            {kStart, kSampledThread, kStack, kState, kOwnSize, kLabels, kTrace, kSpan, kNanoseconds}),
      event(TypeId::kWallClockSample, type::kWallClockSample, "Wall Clock Sample", jvm,
            {kStart, kSampledThread, kStack, kState, small("samples", "Number of Samples", Unit::kUnsigned), kOwnSize,
             kLabels, kTrace, kSpan, kNanoseconds}),
      event(TypeId::kPageFault, type::kPageFault, "Page Fault Sample", {"hearth"},
            {kStart, kSampledThread, kStack, kState, kLabels, kTrace, kSpan, number("weight", "Page Faults")}),
      event(TypeId::kContextSwitch, type::kContextSwitch, "Context Switch Sample", {"hearth"},
            {kStart, kSampledThread, kStack, kState, kLabels, kTrace, kSpan, number("weight", "Context Switches")}),
      event(TypeId::kAllocationInNewTlab, type::kObjectAllocationInNewTLAB, "Allocation in new TLAB", application,
            {kStart, kEventThread, kStack, kObjectClass, kAllocationSize, number("tlabSize", "TLAB Size", Unit::kBytes),
             kOwnSize, kLabels, kTrace, kSpan, kObjects}),
      event(TypeId::kAllocationOutsideTlab, type::kObjectAllocationOutsideTLAB, "Allocation outside TLAB", application,
            {kStart, kEventThread, kStack, kObjectClass, kAllocationSize, kOwnSize, kLabels, kTrace, kSpan, kObjects}),
      event(TypeId::kMonitorEnter, type::kJavaMonitorEnter, "Java Monitor Blocked", application,
            {kStart, kDuration, kEventThread, kStack, pooled("monitorClass", "Monitor Class", TypeId::kClass),
             pooled("previousOwner", "Previous Monitor Owner", TypeId::kThread), kAddress, kOwnSize, kLabels, kTrace,
             kSpan, kNanoseconds, kWaits}),
      event(TypeId::kThreadPark, type::kThreadPark, "Java Thread Park", application,
            {kStart, kDuration, kEventThread, kStack, pooled("parkedClass", "Class Parked On", TypeId::kClass),
             number("timeout", "Park Timeout", Unit::kNanoSpan), number("until", "Park Until", Unit::kEpochMilli),
             kAddress, kOwnSize, kLabels, kTrace, kSpan, kNanoseconds, kWaits}),
      event(TypeId::kLiveObject, type::kLiveObject, "Live Object", {"Java Virtual Machine", "Heap"},
            {kStart, kEventThread, kStack, kObjectClass, kAllocationSize,
             number("allocationTime", "Allocation Time", Unit::kTicks), kOwnSize, kLabels, kTrace, kSpan, kObjects}),
      event(TypeId::kMalloc, type::kMalloc, "malloc", {"Java Virtual Machine", "Native Memory"},
            {kStart, kEventThread, kStack, number("address", "Address", Unit::kAddress),
             number("size", "Size", Unit::kBytes), kOwnSize, kLabels, kTrace, kSpan,
             number("weight", "Bytes That the Sample Represents", Unit::kBytes), kObjects}),
      event(TypeId::kFree, "profiler.Free", "free", {"Java Virtual Machine", "Native Memory"},
            {kStart, kEventThread, kStack, number("address", "Address", Unit::kAddress)}),
      event(TypeId::kLiveAllocation, type::kLiveAllocation, "Native Memory That Was Not Freed", {"hearth"},
            {kStart, kEventThread, kStack, number("size", "Size", Unit::kBytes), kLabels, kTrace, kSpan, kObjects}),
      event(TypeId::kNativeLock, type::kNativeLock, "Native Lock Sample", {"Java Virtual Machine", "Native Lock"},
            {kStart, kDuration, kEventThread, kStack, number("address", "Lock Address", Unit::kAddress), kOwnSize,
             kLabels, kTrace, kSpan, kNanoseconds, kWaits}),
      event(TypeId::kIo, type::kIo, "I/O Sample", {"hearth"},
            {kStart, kDuration, kEventThread, kStack, number("bytes", "Bytes Moved", Unit::kBytes), kLabels, kTrace,
             kSpan, kNanoseconds, number("objects", "Calls That the Sample Represents")}),
      event(TypeId::kMethodCall, type::kMethodCall, "Method Call", {"hearth"},
            {kStart, kSampledThread, kStack, kState, kLabels, kTrace, kSpan, number("weight", "Calls")}),
      event(TypeId::kMethodTrace, type::kMethodTrace, "Method Trace", {"Java Virtual Machine", "Method Tracing"},
            {kStart, kDuration, kEventThread, kStack, pooled("method", "Method", TypeId::kMethod), kOwnSize, kLabels,
             kTrace, kSpan, kNanoseconds, number("objects", "Calls That the Sample Represents")}),
      event(TypeId::kExceptionThrow, type::kJavaExceptionThrow, "Java Exception", application,
            {kStart, kEventThread, kStack, pooled("message", "Message", TypeId::kString),
             pooled("thrownClass", "Class", TypeId::kClass), kOwnSize, kLabels, kTrace, kSpan,
             number("weight", "Exceptions That the Sample Represents")}),
      event(TypeId::kLockHolder, type::kLockHolder, "Lock Holder Sample", {"hearth"},
            {kStart, kSampledThread, kStack, kState, kLabels, kTrace, kSpan,
             number("weight", "Time That Others Waited", Unit::kNanoSpan)}),
      event(TypeId::kWaker, type::kWaker, "Wake-up", {"hearth"},
            {kStart, kDuration, kSampledThread, kStack, kOwnSize, kLabels, kTrace, kSpan, kNanoseconds, kWaits}),
      event(TypeId::kVirtualWait, type::kVirtualWait, "Virtual Thread Wait", {"hearth"},
            {kStart, kDuration, kEventThread, kStack, pooled("parkedClass", "Class Parked On", TypeId::kClass),
             kOwnSize, kLabels, kTrace, kSpan, kNanoseconds, kWaits}),
      event(TypeId::kReportedSpan, "profiler.Span", "Span", {"Profiler"},
            {kStart, kDuration, kEventThread, pooled("tag", "Tag", TypeId::kString)}),
      event(TypeId::kWindow, "profiler.Window", "Profiling Window", {"Profiler"}, {kStart, kDuration, kEventThread}),
      event(
          TypeId::kUserEvent, "profiler.UserEvent", "User-Defined Event", {"Profiler"},
          {kStart, kEventThread, pooled("type", "User Event Type", TypeId::kUserEventType), text("data", "User Data")}),
      event(TypeId::kOtherSample, type::kSample, "Sample of Another Event", {"hearth"},
            {kStart, kSampledThread, kStack, text("event", "Event"), number("weight", "Weight"), text("unit", "Unit"),
             number("samples", "Number of Samples"), kLabels, kTrace, kSpan}),
  };
  rows->insert(rows->end(), more.begin(), more.end());
}

void add_facts(Rows* rows) {
  const std::vector<std::string_view> recorder = {"Flight Recorder"}, system = {"Operating System"},
                                      jvm = {"Java Virtual Machine"};
  const Rows more = {
      event(TypeId::kActiveRecording, type::kActiveRecording, "Flight Recording", recorder,
            {kStart, number("id", "Id"), text("name", "Name"), text("destination", "Destination"),
             number("maxAge", "Max Age", Unit::kMilliSpan), number("maxSize", "Max Size", Unit::kBytes),
             number("recordingStart", "Start Time", Unit::kEpochMilli),
             number("recordingDuration", "Recording Duration", Unit::kMilliSpan)}),
      event(TypeId::kActiveSetting, type::kActiveSetting, "Recording Setting", recorder,
            {kStart, number("id", "Event Id"), text("name", "Setting Name"), text("value", "Setting Value")}),
      event(TypeId::kJvmInformation, type::kJVMInformation, "JVM Information", jvm,
            {kStart, text("jvmName", "JVM Name"), text("jvmVersion", "JVM Version"),
             text("jvmArguments", "JVM Command Line Arguments"), text("jvmFlags", "JVM Settings File Arguments"),
             text("javaArguments", "Java Application Arguments"),
             number("jvmStartTime", "JVM Start Time", Unit::kEpochMilli), number("pid", "Process Identifier")}),
      event(TypeId::kOsInformation, "jdk.OSInformation", "OS Information", system,
            {kStart, text("osVersion", "OS Version")}),
      event(TypeId::kCpuInformation, "jdk.CPUInformation", "CPU Information", {"Operating System", "Processor"},
            {kStart, text("cpu", "Type"), text("description", "Description"), small("sockets", "Sockets"),
             small("cores", "Cores"), small("hwThreads", "Hardware Threads")}),
      event(TypeId::kSystemProperty, "jdk.InitialSystemProperty", "Initial System Property", jvm,
            {kStart, text("key", "Key"), text("value", "Value")}),
      event(TypeId::kNativeLibrary, "jdk.NativeLibrary", "Native Library", {"Java Virtual Machine", "Runtime"},
            {kStart, text("name", "Name"), number("baseAddress", "Base Address", Unit::kAddress),
             number("topAddress", "Top Address", Unit::kAddress)}),
      event(TypeId::kCpuLoad, "jdk.CPULoad", "CPU Load", {"Operating System", "Processor"},
            {kStart,
             {"jvmUser", "JVM User", TypeId::kFloat, Unit::kPercent},
             {"jvmSystem", "JVM System", TypeId::kFloat, Unit::kPercent},
             {"machineTotal", "Machine Total", TypeId::kFloat, Unit::kPercent}}),
      event(TypeId::kProcessSample, "profiler.ProcessSample", "Process Stats Sample", {"Operating System", "Process"},
            {kStart,
             small("pid", "Process ID", Unit::kUnsigned),
             small("ppid", "Parent Process ID", Unit::kUnsigned),
             text("name", "Process Name"),
             text("cmdLine", "Command Line"),
             small("uid", "User ID", Unit::kUnsigned),
             {"state", "Process State", TypeId::kByte},
             number("processStartTime", "Process Start Time", Unit::kEpochMilli),
             {"cpuUser", "User CPU Time", TypeId::kFloat},
             {"cpuSystem", "System CPU Time", TypeId::kFloat},
             {"cpuPercent", "CPU Percentage", TypeId::kFloat, Unit::kPercent},
             small("threads", "Thread Count", Unit::kUnsigned),
             number("vmSize", "Virtual Memory Size", Unit::kBytes),
             number("vmRss", "Resident Memory Size", Unit::kBytes),
             number("rssAnon", "Resident Anonymous Memory", Unit::kBytes),
             number("rssFiles", "Resident File Mappings", Unit::kBytes),
             number("rssShmem", "Resident Shared Memory", Unit::kBytes),
             number("minorFaults", "Minor Page Faults", Unit::kUnsigned),
             number("majorFaults", "Major Page Faults", Unit::kUnsigned),
             number("ioRead", "I/O Read Bytes", Unit::kBytes),
             number("ioWrite", "I/O Write Bytes", Unit::kBytes)}),
      event(TypeId::kGcPause, type::kGCPhasePause, "GC Phase Pause", {"Java Virtual Machine", "GC", "Phases"},
            {kStart, kDuration, kEventThread, small("gcId", "GC Identifier"), text("name", "Name")}),
      event(TypeId::kQuality, type::kQuality, "Quality of the Profile", {"hearth"},
            {kStart, text("name", "Name"), text("value", "Value")}),
  };
  rows->insert(rows->end(), more.begin(), more.end());
}

Rows all_rows() {
  Rows rows;
  add_constants(&rows);
  add_annotations(&rows);
  add_samples(&rows);
  add_facts(&rows);
  return rows;
}

}  // namespace

const std::vector<TypeRow>& type_rows() {
  static const Rows kRows = all_rows();
  return kRows;
}

const TypeRow& row_of(TypeId type) {
  static const std::vector<const TypeRow*> kById = [] {
    std::vector<const TypeRow*> rows(UINT8_MAX + 1);
    for (const TypeRow& row : type_rows()) rows[static_cast<size_t>(row.id)] = &row;
    return rows;
  }();
  const TypeRow* row = kById[static_cast<size_t>(type)];
  if (row == nullptr) throw std::logic_error(formatted("type {} of JFR has no row", static_cast<int>(type)));
  return *row;
}

int64_t number_in_file(TypeId type, int64_t first_event) {
  return static_cast<int64_t>(type) + (row_of(type).super == TypeRow::kEvent ? first_event : 0);
}

TypeId sample_type(const EventKind* event) {
  constexpr std::pair<std::string_view, TypeId> kOfEvents[] = {{"cpu", TypeId::kExecutionSample},
                                                               {"wall", TypeId::kWallClockSample},
                                                               {"page-faults", TypeId::kPageFault},
                                                               {"context-switches", TypeId::kContextSwitch},
                                                               {"alloc", TypeId::kAllocationInNewTlab},
                                                               {"lock", TypeId::kMonitorEnter},
                                                               {"live", TypeId::kLiveObject},
                                                               {"nativemem", TypeId::kMalloc},
                                                               {"native-live", TypeId::kLiveAllocation},
                                                               {"nativelock", TypeId::kNativeLock},
                                                               {"io", TypeId::kIo},
                                                               {"calls", TypeId::kMethodCall},
                                                               {"trace", TypeId::kMethodTrace},
                                                               {"exception", TypeId::kExceptionThrow},
                                                               {"holders", TypeId::kLockHolder},
                                                               {"wakers", TypeId::kWaker},
                                                               {"vthreads", TypeId::kVirtualWait}};
  for (auto [name, type] : kOfEvents)
    if (event != nullptr && event->name == name) return type;
  return TypeId::kOtherSample;
}

int64_t thread_state_number(std::string_view word) {
  constexpr int64_t kDefault = 0, kRunnable = 1, kSleeping = 2;
  if (word.empty()) return kDefault;
  constexpr std::string_view kWantCpu[] = {kRunningState, "stolen", "runnable", "throttled"};
  return std::find(std::begin(kWantCpu), std::end(kWantCpu), word) != std::end(kWantCpu) ? kRunnable : kSleeping;
}

}  // namespace hearth::profile::jfr
