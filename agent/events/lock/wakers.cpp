#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/formatted.h"
#include "base/jvm_refs.h"
#include "events/alloc/class_numbers.h"
#include "events/alloc/size_class.h"
#include "events/event_source.h"
#include "events/handlers/hook_slot.h"
#include "events/lock/park_hook.h"
#include "events/lock/park_table.h"
#include "events/lock/wait_interval.h"
#include "events/record_with_retry.h"
#include "events/self_sampling_source.h"
#include "events/vm/callback_sampling.h"

namespace hearth::events {
namespace {

using capture::Frame;
using capture::StackTree;
using capture::ThreadSlot;

constexpr uint32_t kNoSample = UINT32_MAX;  // serial number of a waker whose sample is not stored

// State of the running session for the observers of parks.
struct WakerSampling : CallbackSampling {
  ClassNumbers* classes = nullptr;
  jvmtiEnv* jvmti = nullptr;
  capture::StackTree* tree = nullptr;
  jfieldID park_blocker = nullptr;  // of java.lang.Thread
  uint64_t began_ns = 0;            // CLOCK_MONOTONIC
  WaitInterval waits;
};

using PublishedSampling = Published<WakerSampling>;

PublishedToCallbacks<WakerSampling> g_published(number_before(HookKind::kWakers, 0));

// What observers need before they look for the session, which all threads share a counter for; lives as long as the
// process, since threads may stay parked.
struct Parked {
  ParkTable table;
  jfieldID java_thread = nullptr;  // of java.lang.Thread: eetop
  uintptr_t env_offset = 0;        // from a JavaThread to its JNIEnv
};
Parked* g_parked = nullptr;  // written before threads are observed

void* on_park(JNIEnv* env, uint64_t began_ns) {
  return g_parked->table.enter(reinterpret_cast<uintptr_t>(env) - g_parked->env_offset, began_ns);
}

// This thread, which is unknown if it is not sampled. Nothing: its stack was lost, and is counted as such, or the
// session takes no samples now.
std::optional<capture::OuterThread> waker(WakerSampling* sampling, const WokenWait& wait, uint64_t now_ns) {
  capture::OuterThread waker;
  ThreadSlot* slot = slot_of_hook(sampling->number, sampling->slots_by_thread);
  if (slot == nullptr || slot->left_out.load(std::memory_order_relaxed)) return waker;
  capture::SampleInfo info;
  info.entered_ns = now_ns;
  info.event = sampling->event;
  info.weight = wait.weight.delay_ns;
  info.objects = wait.weight.contentions;
  info.is_stack_only = true;
  waker.recorded = sampling->recorder->record_call(slot, info, std::nullopt);
  if (waker.recorded.stack == StackTree::kFull) return std::nullopt;
  waker.serial = slot->serial;
  return waker;
}

void on_unpark(JNIEnv* env, jobject thread) {
  ParkTable& table = g_parked->table;
  auto java_thread = static_cast<uintptr_t>(env->GetLongField(thread, g_parked->java_thread));
  if (!table.has(java_thread)) return;
  PublishedSampling::Entry entry(g_published.current());
  WakerSampling* sampling = entry.sampling();
  ParkTable::Place* place = sampling == nullptr ? nullptr : table.claim(java_thread);
  if (place == nullptr) return;
  uint64_t now_ns = capture::now_ns();
  WokenWait wait;
  wait.session = sampling->number;
  uint64_t began_ns = std::max(ParkTable::began_ns(place), sampling->began_ns);
  wait.time_ns = std::max<int64_t>(static_cast<int64_t>(now_ns - began_ns), 1);
  wait.weight = weight_of_wait(wait.time_ns, sampling->waits.at(now_ns), now_ns ^ java_thread);
  table.weigh(place, wait);
  if (wait.weight.contentions == 0) return;
  sampling->waits.sampled();
  std::optional<capture::OuterThread> one = waker(sampling, wait, now_ns);
  table.tell(place, one ? *one : capture::OuterThread{kNoSample, {}, {}});
}

void record_wake(const PublishedSampling& published, WakerSampling* sampling, JNIEnv* env, const WokenWait& wait,
                 capture::OuterThread* waker) {
  ThreadSlot* slot = slot_of_hook(sampling->number, sampling->slots_by_thread);
  if (slot == nullptr || !sampling->recorder->records(*slot)) return;
  jthread thread = nullptr;
  if (sampling->jvmti->GetCurrentThread(&thread) != JVMTI_ERROR_NONE) return;
  LocalRef owned(env, thread);
  uint32_t blocker = number_of_blocker(sampling->classes, sampling->jvmti, env, thread, sampling->park_blocker);
  waker->border = Frame::of_another(capture::Relation::kWakes, blocker);
  if (waker->serial == 0)
    waker->recorded.stack = sampling->tree->child(StackTree::kRoot, Frame::marker(capture::Marker::kUnknownWaker));
  if (!published.publishes(sampling)) return;  // the JVM may have suspended this thread meanwhile
  capture::SampleInfo info;
  info.entered_ns = capture::now_ns();
  info.weight = wait.weight.delay_ns;
  info.objects = wait.weight.contentions;
  info.event = sampling->event;
  info.state = size_class(wait.time_ns);
  info.outer = waker;
  record_with_retry(sampling->recorder, sampling->drain, slot, info, std::nullopt);
}

void on_parked(JNIEnv* env, uint64_t, void* begun) {
  WokenWait wait;
  capture::OuterThread waker;
  if (begun == nullptr || !g_parked->table.leave(static_cast<ParkTable::Place*>(begun), &wait, &waker)) return;
  if (wait.weight.contentions == 0 || waker.serial == kNoSample) return;
  PublishedSampling* published = g_published.current();
  PublishedSampling::Entry entry(published);
  WakerSampling* sampling = entry.sampling();
  if (sampling != nullptr && sampling->number == wait.session) record_wake(*published, sampling, env, wait, &waker);
}

constexpr ParkObserver kParkObserver = {on_park, on_parked, on_unpark};

class Wakers : public SelfSamplingSource {
 public:
  explicit Wakers(const WakerView& view) : view_(view), classes_(view.locks.layout, view.locks.classes) {
    sampling_.classes = &classes_;
  }
  Wakers(const Wakers&) = delete;
  Wakers& operator=(const Wakers&) = delete;
  ~Wakers() override { Wakers::stop(); }

  std::string engine() const override { return "Unsafe.unpark"; }

  void start(const EventPlan& plan) override {
    jvmti_ = JvmtiEnvironment::opened(view_.locks.java_vm);
    sampling_.jvmti = jvmti_.get();
    try {
      sampling_.take(plan);
      sampling_.tree = plan.tree;
      find_slots(plan, SlotSearch::kSeekOrAdopt);
      hook_parks(view_.locks.java_vm, jvmti_.get());
      find_fields();
    } catch (...) {
      stop();
      throw;
    }
    sampling_.waits.start(plan.interval);
    sampling_.began_ns = capture::now_ns();
    refused_before_ = g_parked->table.refused();
    g_published.publish(&sampling_);
    observe_parks(ParkUser::kWakers, &kParkObserver);
  }

  std::string trouble() const override {
    uint64_t refused = g_parked == nullptr ? 0 : g_parked->table.refused() - refused_before_;
    return refused == 0 ? "" : formatted("wakers: {} waits were not seen: too many threads waited", refused);
  }

  void disable() override {
    observe_parks(ParkUser::kWakers, nullptr);
    if (!g_published.unpublish()) is_quiescent_ = false;
  }
  bool is_quiescent() const override { return is_quiescent_; }

  void stop() override {
    if (!jvmti_ || !is_quiescent_) return;
    jvmti_.reset();
    classes_.clear(view_.locks.java_vm);
  }

 private:
  SlotsByThread& slots() override { return sampling_.slots_by_thread; }

  void find_fields() {
    JvmAttachment attachment(view_.locks.java_vm, "hearth");
    JNIEnv* env = attachment.env();
    if (env == nullptr) throw Error("this JVM accepts no more threads");
    LocalRef type(env, env->FindClass("java/lang/Thread"));
    jfieldID java_thread = nullptr;
    if (type.get() != nullptr) java_thread = env->GetFieldID(static_cast<jclass>(type.get()), "eetop", "J");
    env->ExceptionClear();
    sampling_.park_blocker = find_park_blocker(env);
    if (java_thread == nullptr || sampling_.park_blocker == nullptr || view_.access->env_offset <= 0)
      throw Error("java.lang.Thread of this JVM has no parkBlocker, eetop or JNI environment in a known place");
    if (g_parked != nullptr) return;
    g_parked = new Parked;
    g_parked->java_thread = java_thread;
    g_parked->env_offset = static_cast<uintptr_t>(view_.access->env_offset);
  }

  const WakerView view_;
  JvmtiEnvironment jvmti_;
  ClassNumbers classes_;
  WakerSampling sampling_;
  bool is_quiescent_ = true;
  uint64_t refused_before_ = 0;
};

}  // namespace

std::unique_ptr<EventSource> make_wakers(const WakerView& view) {
  return std::make_unique<Wakers>(view);
}

}  // namespace hearth::events
