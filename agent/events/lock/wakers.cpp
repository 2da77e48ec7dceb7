#include <algorithm>
#include <memory>

#include "base/error.h"
#include "base/formatted.h"
#include "base/jvm_refs.h"
#include "events/alloc/class_numbers.h"
#include "events/alloc/size_class.h"
#include "events/event_source.h"
#include "events/handlers/cached_slot.h"
#include "events/lock/park_hook.h"
#include "events/lock/park_table.h"
#include "events/record_with_retry.h"
#include "events/self_sampling_source.h"
#include "events/vm/callback_sampling.h"

namespace hearth::events {
namespace {

using capture::Frame;
using capture::StackTree;
using capture::ThreadSlot;

// State of the running session for the observers of parks.
struct WakerSampling : CallbackSampling {
  ClassNumbers* classes = nullptr;
  jvmtiEnv* jvmti = nullptr;
  ParkTable* parked = nullptr;
  capture::StackTree* tree = nullptr;
  uint64_t began_ns = 0;            // CLOCK_MONOTONIC
  jfieldID park_blocker = nullptr;  // of java.lang.Thread
  jfieldID java_thread = nullptr;   // of java.lang.Thread: eetop
  uintptr_t env_offset = 0;         // from a JavaThread to its JNIEnv
};

using PublishedSampling = Published<WakerSampling>;

PublishedToCallbacks<WakerSampling> g_published;
thread_local CachedSlot t_known = {0, nullptr, 0};

void* on_park(JNIEnv* env, uint64_t began_ns) {
  PublishedSampling::Entry entry(g_published.current());
  WakerSampling* sampling = entry.sampling();
  if (sampling == nullptr || began_ns < sampling->began_ns) return nullptr;
  return sampling->parked->enter(reinterpret_cast<uintptr_t>(env) - sampling->env_offset, began_ns);
}

// This thread; without a stack if it is not sampled.
capture::OuterThread waker(WakerSampling* sampling, uint64_t now_ns) {
  capture::OuterThread waker;
  ThreadSlot* slot = slot_of_this_thread(sampling->number, sampling->slots_by_thread, &t_known);
  if (slot == nullptr || !sampling->recorder->records(*slot)) return waker;
  capture::SampleInfo info;
  info.entered_ns = now_ns;
  info.event = sampling->event;
  info.will_retry = true;  // the sample is stored without this stack, so nothing is lost
  info.is_stack_only = true;
  waker.recorded = sampling->recorder->record_call(slot, info, std::nullopt);
  waker.serial = slot->serial;
  return waker;
}

void on_unpark(JNIEnv* env, jobject thread) {
  PublishedSampling::Entry entry(g_published.current());
  WakerSampling* sampling = entry.sampling();
  if (sampling == nullptr) return;
  auto java_thread = static_cast<uintptr_t>(env->GetLongField(thread, sampling->java_thread));
  ParkTable::Place* place = java_thread == 0 ? nullptr : sampling->parked->claim(java_thread);
  if (place == nullptr) return;
  uint64_t now_ns = capture::now_ns();
  Wake wake;
  wake.time_ns = std::max<int64_t>(static_cast<int64_t>(now_ns - ParkTable::began_ns(place)), 1);
  wake.weight = weight_of_wait(wake.time_ns, sampling->interval, now_ns ^ java_thread);
  if (wake.weight.contentions > 0) wake.waker = waker(sampling, now_ns);
  sampling->parked->tell(place, wake);
}

// With the class of what this thread waited for, if LockSupport was told.
Frame relation(WakerSampling* sampling, JNIEnv* env, jthread thread) {
  LocalRef blocker(env, env->GetObjectField(thread, sampling->park_blocker));
  uint32_t number = capture::NameTable::kNone;
  if (blocker.get() != nullptr) {
    LocalRef type(env, env->GetObjectClass(blocker.get()));
    number = sampling->classes->number_of(sampling->jvmti, env, blocker.get(), static_cast<jclass>(type.get()));
  }
  return Frame::of_another(capture::Relation::kWakes, number);
}

void record_wake(const PublishedSampling& published, WakerSampling* sampling, JNIEnv* env, Wake* wake) {
  ThreadSlot* slot = slot_of_this_thread(sampling->number, sampling->slots_by_thread, &t_known);
  if (slot == nullptr || !sampling->recorder->records(*slot)) return;
  jthread thread = nullptr;
  if (sampling->jvmti->GetCurrentThread(&thread) != JVMTI_ERROR_NONE) return;
  LocalRef owned(env, thread);
  wake->waker.border = relation(sampling, env, thread);
  if (wake->waker.recorded.stack == StackTree::kFull) {
    wake->waker.serial = slot->serial;
    wake->waker.recorded.stack = sampling->tree->child(StackTree::kRoot, Frame::marker(capture::Marker::kUnknownWaker));
  }
  if (!published.publishes(sampling)) return;  // the JVM may have suspended this thread meanwhile
  capture::SampleInfo info;
  info.entered_ns = capture::now_ns();
  info.weight = wake->weight.delay_ns;
  info.objects = wake->weight.contentions;
  info.event = sampling->event;
  info.state = size_class(wake->time_ns);
  info.outer = &wake->waker;
  record_with_retry(sampling->recorder, sampling->drain, slot, info, std::nullopt);
}

void on_parked(JNIEnv* env, uint64_t began_ns, void* begun) {
  PublishedSampling* published = g_published.current();
  PublishedSampling::Entry entry(published);
  WakerSampling* sampling = entry.sampling();
  // A park that began before the session has a place of another one, or none.
  if (sampling == nullptr || begun == nullptr || began_ns < sampling->began_ns) return;
  Wake wake;
  if (!sampling->parked->leave(static_cast<ParkTable::Place*>(begun), &wake)) return;
  if (wake.weight.contentions > 0) record_wake(*published, sampling, env, &wake);
}

constexpr ParkObserver kParkObserver = {on_park, on_parked, on_unpark};

class Wakers : public SelfSamplingSource {
 public:
  explicit Wakers(const LockView& vm) : vm_(vm), classes_(vm.layout, vm.classes) {
    sampling_.classes = &classes_;
    sampling_.parked = &parked_;
  }
  Wakers(const Wakers&) = delete;
  Wakers& operator=(const Wakers&) = delete;
  ~Wakers() override { Wakers::stop(); }

  std::string engine() const override { return "Unsafe.unpark"; }

  void start(const EventPlan& plan) override {
    jvmti_ = JvmtiEnvironment(vm_.java_vm, JVMTI_VERSION_1_2);
    if (!jvmti_) throw Error("this JVM accepts no further JVMTI environment", "restart the JVM");
    sampling_.jvmti = jvmti_.get();
    try {
      sampling_.take(plan);
      sampling_.tree = plan.tree;
      find_slots(plan, SlotSearch::kSeekOrAdopt);
      hook_parks(vm_.java_vm, jvmti_.get());
      find_fields();
    } catch (...) {
      stop();
      throw;
    }
    sampling_.began_ns = capture::now_ns();
    g_published.publish(&sampling_);
    observe_parks(ParkUser::kWakers, &kParkObserver);
  }

  std::string trouble() const override {
    uint64_t refused = parked_.refused();
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
    JvmAttachment attachment(vm_.java_vm, "hearth");
    if (attachment.env() != nullptr) classes_.clear(attachment.env());
  }

 private:
  SlotsByThread& slots() override { return sampling_.slots_by_thread; }

  void find_fields() {
    JvmAttachment attachment(vm_.java_vm, "hearth");
    JNIEnv* env = attachment.env();
    if (env == nullptr) throw Error("this JVM accepts no more threads");
    LocalRef type(env, env->FindClass("java/lang/Thread"));
    jthread self = nullptr;
    if (type.get() != nullptr && jvmti_->GetCurrentThread(&self) == JVMTI_ERROR_NONE) {
      auto thread = static_cast<jclass>(type.get());
      sampling_.park_blocker = env->GetFieldID(thread, "parkBlocker", "Ljava/lang/Object;");
      sampling_.java_thread = env->GetFieldID(thread, "eetop", "J");
    }
    LocalRef owned(env, self);
    env->ExceptionClear();
    if (sampling_.park_blocker == nullptr || sampling_.java_thread == nullptr)
      throw Error("java.lang.Thread of this JVM has no parkBlocker or eetop");
    sampling_.env_offset =
        reinterpret_cast<uintptr_t>(env) - static_cast<uintptr_t>(env->GetLongField(self, sampling_.java_thread));
  }

  const LockView vm_;
  JvmtiEnvironment jvmti_;
  ClassNumbers classes_;
  ParkTable parked_;
  WakerSampling sampling_;
  bool is_quiescent_ = true;
};

}  // namespace

std::unique_ptr<EventSource> make_wakers(const LockView& vm) {
  return std::make_unique<Wakers>(vm);
}

}  // namespace hearth::events
