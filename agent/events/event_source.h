// Interface of a source of samples: whether it can run here, its start, the threads it samples, its end. Not signal
// safe. Called under the session's lock, except attach_thread() and detach_thread(), which ThreadFollower calls one at
// a time.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/recorder.h"
#include "capture/store/name_table.h"
#include "capture/thread_slot.h"
#include "events/alloc/live_objects.h"
#include "events/calls/hook_class.h"
#include "events/exceptions/catchers.h"
#include "events/handlers/io/io_traits.h"
#include "events/handlers/live_allocations.h"
#include "events/handlers/wall_handler.h"
#include "events/threads/thread_registry.h"
#include "options/calls/call_pattern.h"

namespace hearth::events {

struct EventPlan {
  uint16_t event = 0;    // its number in the session
  int64_t interval = 0;  // in its unit
  capture::Recorder* recorder = nullptr;
  ThreadRegistry* registry = nullptr;
  capture::StackTree* tree = nullptr;  // for stacks that a source makes of recorded ones
  // Adds samples that a source counts by itself, outside signals: `times` samples that together have sample.weight,
  // the time up to that of the sample. Any thread.
  std::function<void(const capture::Sample& sample, int64_t times)> count;
  // Adds one sample that a source kept, as it is. Likewise.
  std::function<void(const capture::Sample& sample)> add;
  std::function<void()> drain;  // empties the ring of samples. Any thread, outside signals
  bool streams = false;         // each sample is written, not only counted
  bool some_threads = false;    // samples only followed threads, which ThreadFollower chooses
  int signal = 0;               // that interrupts threads; 0: any free one
};

// Calls of the methods that one pattern names, since the session's start.
struct CallCounts {
  std::string pattern;
  bool is_matched = false;       // it names a method with code
  int64_t shortest_ns = 0;       // of a sampled call
  int64_t reported = 0;          // calls of sampled lengths; of all lengths for the event "calls"
  std::vector<int64_t> by_time;  // all calls, as CallCells; empty for the event "calls"
  bool is_counted = true;        // false: the JVM could not give by_time
};

// All exceptions that Java code made while a session sampled them.
struct MadeExceptions {
  int64_t count = 0;
  int64_t time_ns = 0;
};

class EventSource {
 public:
  virtual ~EventSource() = default;
  virtual std::string engine() const = 0;    // its name in every output
  virtual bool follows_threads() const = 0;  // valid after start()

  // Throws Error with the reason and the remedy, and changes nothing, if it cannot run here.
  virtual void start(const EventPlan& plan) = 0;

  // Opens the event of one thread. False: the thread has ended, or a resource is exhausted (trouble() reports it).
  virtual bool attach_thread(capture::ThreadSlot* slot) = 0;
  // Closes the thread's event: called by the thread itself, after its end, or after disable(). Returns the CPU
  // nanoseconds of the thread since attach_thread(), by the source's own clock; 0 if the source does not measure it or
  // does not follow the thread.
  virtual int64_t detach_thread(capture::ThreadSlot* slot) = 0;
  // Returns the same clock's time while the thread is followed.
  virtual int64_t cpu_ns(const capture::ThreadSlot& slot) const = 0;

  // Ends sampling. Afterwards no handler runs, except as is_quiescent() reports. Until then threads may be detached
  // only by themselves.
  virtual void disable() = 0;
  // False after disable(): a thread is suspended in a handler. It records no more samples, but the source, its plan and
  // everything that its view points to must live as long as the thread stays there.
  virtual bool is_quiescent() const { return true; }
  // Releases the resources of start(). All threads must be detached.
  virtual void stop() = 0;

  // Removes its breakpoints, which a thread must not meet; it takes no more samples then. False: it has none. On the
  // session's own thread.
  virtual bool remove_breakpoints() { return false; }

  // On the session's own thread about once a second, while it is not paused; may call the JVM.
  virtual void tick() {}

  // The process has loaded or unloaded a library, perhaps.
  virtual void libraries_changed() {}

  // Passes on the samples that it has counted by itself.
  virtual void flush() {}
  // Returns the id and the CPU time of its own thread, which is not sampled; 0: it has none.
  virtual int own_tid() const { return 0; }
  virtual int64_t own_cpu_ns() const { return 0; }

  // Exact numbers, apart from samples.
  virtual std::vector<CallCounts> call_counts() const { return {}; }
  virtual std::optional<MadeExceptions> exceptions() const { return std::nullopt; }

  // Returns one line on a problem since start() that did not end it, or "".
  virtual std::string trouble() const { return ""; }
};

// What perf_events sample of a thread.
struct PerfChoice {
  bool user_code_only = false;  // without kernel frames, for which the kernel may ask fewer rights
  int cpu = -1;                 // only there; -1: anywhere
  bool records_cpu = false;     // as the sample's state, kOnCpu and the number
  int signal = 0;               // as EventPlan::signal
};
// The same for CPU time: the clock of perf_events, weighted by the thread's own; on one CPU by the time there.
std::unique_ptr<EventSource> make_cpu_perf_event(const PerfChoice& choice);
std::unique_ptr<EventSource> make_cpu_thread_timer(int signal);
std::unique_ptr<EventSource> make_cpu_process_timer();
// `java` and all that it points to outlive the source. `holders`: null, or what the session's source of holders counts
// with; it needs a wall clock.
class LockHolders;
std::unique_ptr<EventSource> make_wall_clock(const JavaThreadView& java, std::shared_ptr<LockHolders> holders,
                                             int signal);
// `vm` outlives both.
std::shared_ptr<LockHolders> make_lock_holders(const capture::VmLayout& vm);
std::unique_ptr<EventSource> make_holder_counts(std::shared_ptr<LockHolders> holders);
// Allocations, by JVMTI's SampledObjectAlloc. Everything that the view points to outlives the source.
struct AllocationView {
  JavaVM* java_vm = nullptr;
  const capture::VmLayout* layout = nullptr;
  const capture::ThreadAccess* access = nullptr;
  LiveObjects* live = nullptr;            // follows the sampled objects; may be null
  capture::NameTable* classes = nullptr;  // of sampled objects, in JVMTI's form: "Ljava/lang/String;"
};
inline constexpr int64_t kUsualAllocationInterval = 512 << 10;  // the JVM's own
std::unique_ptr<EventSource> make_allocation_sampler(const AllocationView& vm);
// True from JDK 11 on.
bool has_allocation_sampler(JavaVM* java_vm);

// Waits for contended locks: Java monitors, and the locks and semaphores of java.util.concurrent that block platform
// threads. Everything that the view points to outlives the source.
struct LockView {
  JavaVM* java_vm = nullptr;
  const capture::VmLayout* layout = nullptr;
  capture::NameTable* classes = nullptr;  // of the locks, as in AllocationView
};
std::unique_ptr<EventSource> make_lock_waits(const LockView& vm);
// Threads that wait in java.util.concurrent, by the stacks of those that wake them.
struct WakerView {
  LockView locks;
  const capture::ThreadAccess* access = nullptr;
};
std::unique_ptr<EventSource> make_wakers(const WakerView& view);

// Waits of virtual threads, on a carrier or off it. Everything that the view points to outlives the source.
struct VirtualWaitView {
  LockView locks;
  const std::atomic<bool>* vm_ends = nullptr;
  capture::VirtualThreadNames* names = nullptr;  // receives those of threads; null: stacks do not tell threads apart
};
std::unique_ptr<EventSource> make_virtual_waits(const VirtualWaitView& view);

// Exceptions and errors that Java code makes. Everything that the view points to outlives the source.
struct ThrowableView {
  JavaVM* java_vm = nullptr;
  const std::atomic<bool>* vm_ends = nullptr;
  const capture::VmLayout* layout = nullptr;
  capture::NameTable* classes = nullptr;  // of the exceptions, as in AllocationView
  bool reads_messages = false;
  ExceptionTraits* traits = nullptr;        // receives messages and catchers
  std::shared_ptr<MadeExceptions> earlier;  // of the sources before a pause
};
std::unique_ptr<EventSource> make_exceptions(const ThrowableView& view);

// Functions of the JVM that it calls for each new TLAB and each object outside of one; 0: not found.
struct TlabFunctions {
  uintptr_t new_tlab = 0;
  uintptr_t outside = 0;
  bool passes_object = false;  // as in TlabSampling
};
// Allocations, by breakpoints on TlabFunctions.
inline constexpr const char* kTlabEngine = "AllocTracer";
std::unique_ptr<EventSource> make_tlab_hooks(const AllocationView& vm, const TlabFunctions& functions);

// Replaces pointers to functions in all loaded libraries, as symbols::ImportHooks.
class ImportPatcher {
 public:
  struct Hook {
    std::string name;
    uintptr_t code;
  };
  virtual ~ImportPatcher() = default;
  virtual uintptr_t original(size_t hook) const = 0;
  virtual void apply() = 0;
  virtual void restore() = 0;
  virtual size_t replaced() const = 0;
  virtual std::string trouble() const = 0;
};
// Libraries that define the first of the functions are left alone, except the C library.
using ImportPatcherMaker = std::function<std::unique_ptr<ImportPatcher>(const std::vector<ImportPatcher::Hook>& hooks)>;

// Native memory, by hooks in place of malloc and its like.
struct NativeMemoryView {
  LiveAllocations* live = nullptr;  // follows the sampled allocations; null: releases are not observed
  bool goes_on = false;             // `live` has those of the last sampling, whose releases are to be observed as well
  ImportPatcherMaker make_patcher;
};
std::unique_ptr<EventSource> make_native_memory(NativeMemoryView view);
// Waits for contended mutexes and read-write locks of the C library, likewise.
std::unique_ptr<EventSource> make_native_locks(ImportPatcherMaker make_patcher);
// Calls that read, write, connect, accept and look up hosts, likewise. `traits` outlives the source.
struct IoView {
  IoTraits* traits = nullptr;  // receives what the calls were for
  bool names_targets = true;   // files and peers, not only their kinds
  ImportPatcherMaker make_patcher;
};
std::unique_ptr<EventSource> make_native_io(IoView view);

// Calls of Java methods, by hooks in their code; with kLeave those that take long enough, weighted by their time.
struct CallView {
  JavaVM* java_vm = nullptr;
  const std::atomic<bool>* vm_ends = nullptr;
  CallHook hook{};
  std::vector<options::CallChoice> choices;
  int64_t every = 1;                                 // of the calls that took long enough one in so many is sampled
  std::shared_ptr<std::vector<CallCounts>> earlier;  // of sources that were paused
};
std::unique_ptr<EventSource> make_method_calls(CallView view);

}  // namespace hearth::events
