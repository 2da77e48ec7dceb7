#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/error.h"
#include "base/formatted.h"
#include "base/jvm_refs.h"
#include "events/alloc/class_numbers.h"
#include "events/alloc/size_class.h"
#include "events/event_source.h"
#include "events/handlers/cached_slot.h"
#include "events/lock/lock_weight.h"
#include "events/lock/park_hook.h"
#include "events/record_with_retry.h"
#include "events/self_sampling_source.h"
#include "events/vm/callback_sampling.h"

namespace hearth::events {
namespace {

using capture::Frame;
using capture::ThreadSlot;

// Blockers that LockSupport gets when threads park for a lock instead of for work.
constexpr const char* kParkingLocks[] = {
    "java/util/concurrent/locks/ReentrantLock$Sync", "java/util/concurrent/locks/ReentrantReadWriteLock$Sync",
    "java/util/concurrent/locks/StampedLock", "java/util/concurrent/Semaphore$Sync"};
constexpr size_t kParkingLockCount = sizeof kParkingLocks / sizeof *kParkingLocks;

// State of the running session for its callbacks.
struct LockSampling : CallbackSampling {
  ClassNumbers* classes = nullptr;
  jvmtiEnv* jvmti = nullptr;
  uint64_t began_ns = 0;                         // CLOCK_MONOTONIC
  jfieldID park_blocker = nullptr;               // of java.lang.Thread; null: parks are not observed
  jclass parking_locks[kParkingLockCount] = {};  // global
};

using PublishedSampling = Published<LockSampling>;

PublishedToCallbacks<LockSampling> g_published;
thread_local CachedSlot t_known = {0, nullptr, 0};

// A finished wait.
struct Wait {
  uint64_t ended_ns;
  int64_t time_ns;
  LockWeight weight;

  Wait(uint64_t began_ns, int64_t interval)
      : ended_ns(capture::now_ns()),
        time_ns(std::max<int64_t>(static_cast<int64_t>(ended_ns - began_ns), 1)),
        weight(weight_of_wait(time_ns, interval, ended_ns)) {}
};

void record_wait(const PublishedSampling& published, LockSampling* sampling, JNIEnv* env, const Wait& wait,
                 jobject lock) {
  ThreadSlot* slot = slot_of_this_thread(sampling->number, sampling->slots_by_thread, &t_known);
  if (slot == nullptr || !sampling->recorder->records(*slot)) return;
  capture::SampleInfo info;
  info.entered_ns = wait.ended_ns;
  info.weight = wait.weight.delay_ns;
  info.objects = wait.weight.contentions;
  info.event = sampling->event;
  info.state = size_class(wait.time_ns);
  LocalRef type(env, env->GetObjectClass(lock));
  uint32_t number = sampling->classes->number_of(sampling->jvmti, env, lock, static_cast<jclass>(type.get()));
  Frame innermost = number == capture::NameTable::kNone ? Frame::marker(capture::Marker::kUnknown)
                                                        : Frame::of(capture::RawKind::kLock, number);
  if (!published.publishes(sampling)) return;  // the JVM may have suspended this thread meanwhile
  record_with_retry(sampling->recorder, sampling->drain, slot, info, innermost);
}

// Keeps the start of the wait in the Java thread: a virtual one may continue on another carrier.
void JNICALL on_contended(jvmtiEnv* jvmti, JNIEnv*, jthread thread, jobject) {
  jvmti->SetThreadLocalStorage(thread, reinterpret_cast<void*>(capture::now_ns()));
}

void JNICALL on_entered(jvmtiEnv* jvmti, JNIEnv* env, jthread thread, jobject monitor) {
  void* kept = nullptr;
  if (jvmti->GetThreadLocalStorage(thread, &kept) != JVMTI_ERROR_NONE || kept == nullptr) return;
  jvmti->SetThreadLocalStorage(thread, nullptr);
  PublishedSampling* published = g_published.current();
  PublishedSampling::Entry entry(published);
  LockSampling* sampling = entry.sampling();
  if (sampling == nullptr) return;
  Wait wait(reinterpret_cast<uint64_t>(kept), sampling->interval);
  if (wait.weight.contentions > 0) record_wait(*published, sampling, env, wait, monitor);
}

bool is_parking_lock(const LockSampling& sampling, JNIEnv* env, jobject blocker) {
  return std::any_of(std::begin(sampling.parking_locks), std::end(sampling.parking_locks),
                     [&](jclass lock) { return lock != nullptr && env->IsInstanceOf(blocker, lock) == JNI_TRUE; });
}

void on_parked(JNIEnv* env, uint64_t began_ns, void*) {
  PublishedSampling* published = g_published.current();
  PublishedSampling::Entry entry(published);
  LockSampling* sampling = entry.sampling();
  if (sampling == nullptr || sampling->park_blocker == nullptr) return;
  if (began_ns < sampling->began_ns) return;  // it began before the session
  Wait wait(began_ns, sampling->interval);
  if (wait.weight.contentions == 0) return;
  jthread thread = nullptr;
  if (sampling->jvmti->GetCurrentThread(&thread) != JVMTI_ERROR_NONE) return;
  LocalRef owned(env, thread);
  LocalRef blocker(env, env->GetObjectField(thread, sampling->park_blocker));
  if (blocker.get() != nullptr && is_parking_lock(*sampling, env, blocker.get()))
    record_wait(*published, sampling, env, wait, blocker.get());
}

constexpr ParkObserver kParkObserver = {nullptr, on_parked, nullptr};

class LockWaits : public SelfSamplingSource {
 public:
  explicit LockWaits(const LockView& vm) : vm_(vm), classes_(vm.layout, vm.classes) { sampling_.classes = &classes_; }
  LockWaits(const LockWaits&) = delete;
  LockWaits& operator=(const LockWaits&) = delete;
  ~LockWaits() override { LockWaits::stop(); }

  std::string engine() const override {
    return sampling_.park_blocker == nullptr ? "MonitorContendedEnter" : "MonitorContendedEnter, Unsafe.park";
  }

  void start(const EventPlan& plan) override {
    open();
    try {
      sampling_.take(plan);
      find_slots(plan, SlotSearch::kSeekOrAdopt);
      prepare_for_parks();
      listen();
      sampling_.began_ns = capture::now_ns();
      g_published.publish(&sampling_);
      if (sampling_.park_blocker != nullptr) observe_parks(ParkUser::kLocks, &kParkObserver);
    } catch (...) {
      disable();
      stop();
      throw;
    }
  }

  std::string trouble() const override { return trouble_; }

  void disable() override {
    observe_parks(ParkUser::kLocks, nullptr);
    jvmti_->SetEventNotificationMode(JVMTI_DISABLE, JVMTI_EVENT_MONITOR_CONTENDED_ENTER, nullptr);
    jvmti_->SetEventNotificationMode(JVMTI_DISABLE, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, nullptr);
    if (!g_published.unpublish()) is_quiescent_ = false;
  }
  bool is_quiescent() const override { return is_quiescent_; }

  void stop() override {
    if (!jvmti_ || !is_quiescent_) return;
    jvmti_.reset();
    JvmAttachment attachment(vm_.java_vm, "hearth");
    if (attachment.env() == nullptr) return;
    classes_.clear(attachment.env());
    for (jclass& lock : sampling_.parking_locks) attachment.env()->DeleteGlobalRef(std::exchange(lock, nullptr));
  }

 private:
  SlotsByThread& slots() override { return sampling_.slots_by_thread; }
  void open() {
    jvmti_ = JvmtiEnvironment::opened(vm_.java_vm);
    sampling_.jvmti = jvmti_.get();
    jvmtiCapabilities wanted{};
    wanted.can_generate_monitor_events = 1;
    jvmtiError refused = jvmti_->AddCapabilities(&wanted);
    if (refused == JVMTI_ERROR_NONE) return;
    stop();
    throw Error(formatted("this JVM does not report contended monitors (JVMTI error {})", int{refused}));
  }

  // A failure leaves monitors observed.
  void prepare_for_parks() {
    try {
      hook_parks(vm_.java_vm, jvmti_.get());
      find_parking_locks();
    } catch (const Error& error) {
      trouble_ = formatted("lock shows monitors only: {}", error.what());
    }
  }

  void find_parking_locks() {
    JvmAttachment attachment(vm_.java_vm, "hearth");
    JNIEnv* env = attachment.env();
    if (env == nullptr) throw Error("this JVM accepts no more threads");
    for (size_t i = 0; i < kParkingLockCount; i++) {
      LocalRef lock(env, env->FindClass(kParkingLocks[i]));
      if (lock.get() == nullptr) env->ExceptionClear();
      sampling_.parking_locks[i] = static_cast<jclass>(env->NewGlobalRef(lock.get()));
    }
    sampling_.park_blocker = find_park_blocker(env);
    if (sampling_.park_blocker == nullptr) throw Error("java.lang.Thread has no parkBlocker");
  }

  void listen() {
    jvmtiEventCallbacks callbacks{};
    callbacks.MonitorContendedEnter = on_contended;
    callbacks.MonitorContendedEntered = on_entered;
    expect(jvmti_->SetEventCallbacks(&callbacks, sizeof callbacks));
    expect(jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_MONITOR_CONTENDED_ENTER, nullptr));
    expect(jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, nullptr));
  }

  static void expect(jvmtiError result) {
    if (result == JVMTI_ERROR_NONE) return;
    throw Error(formatted("this JVM does not report contended monitors (JVMTI error {})", int{result}));
  }

  const LockView vm_;
  JvmtiEnvironment jvmti_;
  ClassNumbers classes_;
  LockSampling sampling_;
  bool is_quiescent_ = true;
  std::string trouble_;
};

}  // namespace

std::unique_ptr<EventSource> make_lock_waits(const LockView& vm) {
  return std::make_unique<LockWaits>(vm);
}

}  // namespace hearth::events
