// One frame of a stack in the signal path: numbers only, which are resolved to names later.
#pragma once

#include <cstdint>

namespace hearth::capture {

enum class RawKind : uint32_t {
  kJava = 0,    // value: jmethodID; detail: bci, or AsyncGetCallTrace's negative number for a native method;
                // interpreted or compiled: unknown
  kNative = 1,  // value: pc of an instruction inside the function (return addresses are already moved back by one)
  kKernel = 2,  // value: kernel address
  kCode = 3,    // value: pc in the JVM's code cache: a stub, an adapter, the interpreter
  kMarker = 4,  // value: a Marker
  // Like kJava, but interpreted, compiled, or inlined into the compiled frame further out.
  kInterpreted = 5,
  kCompiledC1 = 6,
  kCompiledC2 = 7,
  kInlined = 8,
  kAddress = 9,         // value: the interrupted pc itself
  kClass = 10,          // value: Klass*, of a virtual call's receiver
  kVirtualThread = 11,  // value: Thread.threadId(); like Marker::kVirtualThread, with the number
  kLinker = 12,         // value: Symbol* of a MethodHandle method that the JVM generated (linkToStatic…)
  kAllocated = 13,      // value: number in the session's NameTable of the class of the object that was allocated here;
                        // upper half: an AllocationPlace
  kLock = 14,           // value: number, as above, of the class of the object that is waited for
  kOfAnother = 15,      // the frames further out are another thread's; detail: why they are there, a Relation
};

// How the thread of the frames further out concerns that of the frames further in.
enum class Relation : uint32_t {
  kHolds,  // it holds a lock that the other waits for; value: the lock's Klass*, 0: unknown
  kWakes   // it ended the other's wait; value: number, as of kLock, of the class of what that waited for
};

// Location of an allocated object, as far as the engine knows it.
enum class AllocationPlace : uint32_t { kUnknown, kInTlab, kOutside };

// The closed list of bracketed frames. integration/guides/reading-the-page.md explains each to users.
enum class Marker : uint32_t {
  kUnknownJava,         // AsyncGetCallTrace -5: in Java code with an unknown top frame
  kNotWalkableJava,     // -6
  kUnknownNotJava,      // -3: in the VM without a last Java frame
  kNotWalkableNotJava,  // -4
  kDeoptimization,      // -9
  kGcActive,            // -2
  kThreadExit,          // -8
  kNoClassLoad,         // -1
  kNoJavaFrame,         // the native walk found Java code, but the thread is not (or no longer) known to the JVM
  kFault,               // the walk read unmapped memory; the stack ends there
  kTruncated,           // deeper than jstackdepth
  kLost,                // ring or tree was full: weight without a stack
  kVirtualThread,       // between the carrier and the virtual thread
  kParkedFrames,        // frames of a virtual thread on the heap that could not be read
  kUnknown,             // the JVM returned a frame without a method
  kUnknownHolder,       // another thread held a lock, which one is unknown
  kDeadlock,            // the threads further in wait for each other
  kUnknownWaker,        // a thread that is not sampled ended the wait
  kCount
};

// 12 bytes of content; `detail` has kind and bci, so that two frames are equal if both words are.
struct Frame {
  uint64_t value;
  uint32_t detail;  // kind << 28 | (bci + kBciBias)

  static constexpr int kBciBias = 16;
  static constexpr Frame java(uint64_t method, int bci, RawKind kind = RawKind::kJava) {
    return {method, static_cast<uint32_t>(kind) << 28 | (static_cast<uint32_t>(bci + kBciBias) & 0xfffffff)};
  }
  static constexpr Frame of(RawKind kind, uint64_t value) { return {value, static_cast<uint32_t>(kind) << 28}; }
  static constexpr Frame allocated(uint32_t class_name, AllocationPlace place) {
    return of(RawKind::kAllocated, static_cast<uint64_t>(place) << 32 | class_name);
  }
  static constexpr Frame of_another(Relation relation, uint64_t value) {
    return {value, static_cast<uint32_t>(RawKind::kOfAnother) << 28 | static_cast<uint32_t>(relation)};
  }
  static constexpr Frame marker(Marker word) { return of(RawKind::kMarker, static_cast<uint64_t>(word)); }

  constexpr RawKind kind() const { return static_cast<RawKind>(detail >> 28); }
  constexpr bool is_java() const {
    return kind() == RawKind::kJava || (kind() >= RawKind::kInterpreted && kind() <= RawKind::kInlined);
  }
  constexpr Relation relation() const { return static_cast<Relation>(detail & 0xfffffff); }
  constexpr int bci() const { return static_cast<int>(detail & 0xfffffff) - kBciBias; }
  constexpr bool operator==(const Frame& other) const { return value == other.value && detail == other.detail; }
};

}  // namespace hearth::capture
