// The layout of JFR recordings, version 2 (JDK 8u262 to 27, async-profiler, OpenJ9, GraalVM native image): the header
// of a chunk, and names of types. Integers of the header are big-endian; those behind it are LEB128 of at most 9 bytes
// if kCompressedIntegers is set, else big-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hearth::profile::jfr {

inline constexpr std::string_view kMagic("FLR\0", 4);
inline constexpr uint16_t kMajorVersion = 2;

// Offsets of fields in a chunk's header.
namespace header {
inline constexpr size_t kVersion = 4;         // major and minor, 2 bytes each
inline constexpr size_t kChunkSize = 8;       // this and those below: 8 bytes each
inline constexpr size_t kConstantPools = 16;  // offset of the last checkpoint event from the chunk's start
inline constexpr size_t kMetadata = 24;       // likewise, of the metadata event
inline constexpr size_t kStartNanos = 32;     // since 1970
inline constexpr size_t kDurationNanos = 40;
inline constexpr size_t kStartTicks = 48;
inline constexpr size_t kTicksPerSecond = 56;
inline constexpr size_t kFileState = 64;  // 1 byte: kBeingWritten while its writer changes the header
inline constexpr size_t kFlags = 67;      // 1 byte
inline constexpr size_t kSize = 68;
}  // namespace header

inline constexpr uint8_t kBeingWritten = 0xFF;
inline constexpr uint8_t kCompressedIntegers = 1;  // of kFlags
inline constexpr uint8_t kFinalChunk = 2;          // likewise

// Types of the events that describe the others.
inline constexpr uint64_t kMetadataEvent = 0;
inline constexpr uint64_t kCheckpointEvent = 1;

// The byte before a string.
enum class StringEncoding : uint8_t { kNull = 0, kEmpty = 1, kConstant = 2, kUtf8 = 3, kChars = 4, kLatin1 = 5 };

namespace type {
inline constexpr std::string_view kString = "java.lang.String";
inline constexpr std::string_view kThread = "java.lang.Thread";
inline constexpr std::string_view kClass = "java.lang.Class";
inline constexpr std::string_view kMethod = "jdk.types.Method";
inline constexpr std::string_view kSymbol = "jdk.types.Symbol";
inline constexpr std::string_view kStackTrace = "jdk.types.StackTrace";
inline constexpr std::string_view kStackFrame = "jdk.types.StackFrame";
inline constexpr std::string_view kFrameType = "jdk.types.FrameType";
inline constexpr std::string_view kThreadState = "jdk.types.ThreadState";
inline constexpr std::string_view kOldObject = "jdk.types.OldObject";
// Events that are written and read.
inline constexpr std::string_view kExecutionSample = "jdk.ExecutionSample";
inline constexpr std::string_view kWallClockSample = "profiler.WallClockSample";
inline constexpr std::string_view kPageFault = "hearth.PageFault";
inline constexpr std::string_view kContextSwitch = "hearth.ContextSwitch";
inline constexpr std::string_view kObjectAllocationInNewTLAB = "jdk.ObjectAllocationInNewTLAB";
inline constexpr std::string_view kObjectAllocationOutsideTLAB = "jdk.ObjectAllocationOutsideTLAB";
inline constexpr std::string_view kJavaExceptionThrow = "jdk.JavaExceptionThrow";
inline constexpr std::string_view kJavaMonitorEnter = "jdk.JavaMonitorEnter";
inline constexpr std::string_view kThreadPark = "jdk.ThreadPark";
inline constexpr std::string_view kLiveObject = "profiler.LiveObject";
inline constexpr std::string_view kMalloc = "profiler.Malloc";
inline constexpr std::string_view kNativeLock = "profiler.NativeLock";
inline constexpr std::string_view kIo = "hearth.IO";
inline constexpr std::string_view kLiveAllocation = "hearth.LiveAllocation";
inline constexpr std::string_view kMethodCall = "hearth.MethodCall";
inline constexpr std::string_view kMethodTrace = "jdk.MethodTrace";
inline constexpr std::string_view kLockHolder = "hearth.LockHolder";
inline constexpr std::string_view kWaker = "hearth.Waker";
inline constexpr std::string_view kVirtualWait = "hearth.VirtualThreadWait";
inline constexpr std::string_view kSample = "hearth.Sample";
inline constexpr std::string_view kActiveRecording = "jdk.ActiveRecording";
inline constexpr std::string_view kActiveSetting = "jdk.ActiveSetting";
inline constexpr std::string_view kJVMInformation = "jdk.JVMInformation";
inline constexpr std::string_view kQuality = "hearth.Quality";
inline constexpr std::string_view kGCPhasePause = "jdk.GCPhasePause";
}  // namespace type

}  // namespace hearth::profile::jfr
