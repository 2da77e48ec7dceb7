// What every source of samples is to the session: can it run here, start, follow threads, stop. Not signal safe; called
// under the session's lock but for follow() and unfollow(), which come one at a time from ThreadFollower.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "capture/recorder.h"
#include "capture/store/name_table.h"
#include "capture/thread_slot.h"
#include "events/alloc/live_objects.h"
#include "events/handlers/wall_handler.h"
#include "events/threads/thread_registry.h"

namespace hearth::events {

struct EventPlan {
  uint16_t event = 0;    // its number in the session
  int64_t interval = 0;  // in its unit
  capture::Recorder* recorder = nullptr;
  ThreadRegistry* registry = nullptr;
  // Takes what a source counts by itself, outside signals: `times` samples that together weigh sample.weight, which is
  // the time up to the sample's. Any thread.
  std::function<void(const capture::Sample& sample, int64_t times)> count;
  std::function<void()> make_room;  // takes what was recorded out of the way. Any thread, outside signals
  bool some_threads = false;        // only those that are followed, not all: the ThreadFollower decides
};

class EventSource {
 public:
  virtual ~EventSource() = default;
  virtual std::string engine() const = 0;    // as every output names it
  virtual bool follows_threads() const = 0;  // asked after start()

  // Throws Error with the reason and the remedy when it cannot run here; then nothing is changed.
  virtual void start(const EventPlan& plan) = 0;

  // Opens the event of one thread. False: the thread is gone, or there is no room (then trouble() says so).
  virtual bool follow(capture::ThreadSlot* slot) = 0;
  // Closes it: called by the thread itself, or when it has ended, or after silence(). Returns the CPU nanoseconds of
  // the thread since follow(), by its own clock; 0 from a source that does not measure it, and for a thread that it
  // does not follow.
  virtual int64_t unfollow(capture::ThreadSlot* slot) = 0;
  // The same clock while the thread is followed.
  virtual int64_t cpu_ns(const capture::ThreadSlot& slot) const = 0;

  // After it no handler runs and none will, unless is_left() tells otherwise; threads may be unfollowed only then, or
  // by themselves.
  virtual void silence() = 0;
  // After silence(). False: a thread is suspended in a handler. It records nothing more, but source, plan and all that
  // the view points to must stay for as long as it does.
  virtual bool is_left() const { return true; }
  // Gives back what start() took. All threads must be unfollowed.
  virtual void stop() = 0;

  // Takes the breakpoints that it has set away: a thread must not meet them. From then on it takes no samples. False:
  // it has none. On the session's own thread.
  virtual bool give_up_breakpoints() { return false; }

  // Hands over the samples that it has counted by itself.
  virtual void hand_over() {}
  // Its own thread, which is not to be sampled, and the CPU time of that; 0: there is none.
  virtual int own_tid() const { return 0; }
  virtual int64_t own_cpu_ns() const { return 0; }

  // What went wrong since start() without ending it; one line, or "".
  virtual std::string trouble() const { return ""; }
};

std::unique_ptr<EventSource> make_cpu_perf_event();
std::unique_ptr<EventSource> make_cpu_thread_timer();
std::unique_ptr<EventSource> make_cpu_process_timer();
// `java` and what it points to outlive the source.
std::unique_ptr<EventSource> make_wall_clock(const JavaThreadView& java);
// Allocations, by JVMTI's SampledObjectAlloc. All that the view points to outlives the source.
struct AllocationView {
  JavaVM* java_vm = nullptr;
  const capture::VmLayout* layout = nullptr;
  const capture::ThreadAccess* access = nullptr;
  LiveObjects* live = nullptr;            // follows what is sampled; null: nothing does
  capture::NameTable* classes = nullptr;  // of what was allocated, as JVMTI spells them: "Ljava/lang/String;"
};
inline constexpr int64_t kUsualAllocationInterval = 512 << 10;  // the JVM's own
std::unique_ptr<EventSource> make_allocation_sampler(const AllocationView& vm);
// Whether the JVM has one: JDK 11 on.
bool has_allocation_sampler(JavaVM* java_vm);

// Waits for contended locks: Java monitors, and those of java.util.concurrent's locks and semaphores that block
// platform threads. All that the view points to outlives the source.
struct LockView {
  JavaVM* java_vm = nullptr;
  const capture::VmLayout* layout = nullptr;
  capture::NameTable* classes = nullptr;  // of what was waited for, as in AllocationView
};
std::unique_ptr<EventSource> make_lock_waits(const LockView& vm);

// The functions of the JVM that hear of each new TLAB and of each object outside of one; 0: not found.
struct TlabFunctions {
  uintptr_t new_tlab = 0;
  uintptr_t outside = 0;
  bool tell_object = false;  // as in TlabSampling
};
// Allocations, by breakpoints on those.
inline constexpr const char* kTlabEngine = "AllocTracer";
std::unique_ptr<EventSource> make_tlab_hooks(const AllocationView& vm, const TlabFunctions& functions);

}  // namespace hearth::events
