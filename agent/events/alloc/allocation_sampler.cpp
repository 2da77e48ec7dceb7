#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/formatted.h"
#include "base/jvm_refs.h"
#include "capture/faults/safe_load.h"
#include "events/alloc/allocation_weight.h"
#include "events/alloc/class_numbers.h"
#include "events/alloc/first_allocations.h"
#include "events/alloc/own_points.h"
#include "events/alloc/sample_points.h"
#include "events/alloc/size_class.h"
#include "events/event_source.h"
#include "events/handlers/cached_slot.h"
#include "events/handlers/current_tid.h"
#include "events/record_with_retry.h"
#include "events/self_sampling_source.h"
#include "events/threads/thread_follower.h"
#include "events/vm/callback_sampling.h"
#include "events/vm/collection_cost.h"

namespace hearth::events {
namespace {

using capture::Frame;
using capture::ThreadSlot;

// State of the running session for its callback.
struct AllocationSampling : CallbackSampling {
  AllocationView vm;
  ClassNumbers* classes = nullptr;
  // Sorted ids of threads with an invalid first sample: the JVM drew its point with another interval, or counted bytes
  // from before the session.
  std::vector<int> threads_with_stale_points;
};

constexpr uint64_t kMeasureExactEvery = 64;

// AllocationLayout::sample_point is the JVM's point: proven once, for all sessions.
std::atomic<bool> g_point_is_proven{false};

using PublishedSampling = Published<AllocationSampling>;

PublishedToCallbacks<AllocationSampling> g_published;
thread_local CachedSlot t_known = {0, nullptr, 0};

// The JVM's arguments about the sampled object.
struct SampledObject {
  jobject object;
  jclass allocated;
  jlong size;
};

// True if hearth draws the points of this thread itself.
bool owns_points(const AllocationSampling& sampling, uintptr_t java_thread) {
  const capture::AllocationLayout& layout = sampling.vm.layout->allocations;
  return sampling.interval > 0 && layout.known && layout.loses_count && layout.has_tlab_limits && java_thread != 0 &&
         g_point_is_proven.load(std::memory_order_relaxed);
}

// A collection may move the object meanwhile: then it counts as one outside of the TLAB, at worst.
AllocationWeight weigh(const AllocationSampling& sampling, const SampledObject& sampled, ThreadSlot* slot) {
  const capture::AllocationLayout& layout = sampling.vm.layout->allocations;
  capture::CurrentJavaThread thread(*sampling.vm.layout, *sampling.vm.access);
  ShownObject shown = {thread.address(), capture::load(reinterpret_cast<uintptr_t>(sampled.object)), sampled.size};
  bool owns = owns_points(sampling, shown.thread);
  if (owns && slot->own_points.have_begun)
    return weigh_by_own_points(layout, shown, sampling.interval, &slot->own_points);
  AllocationWeight weight =
      weigh_sampled_object(layout, shown.thread, shown.address, sampled.size, sampling.interval, &slot->allocated);
  if (owns) begin_own_points(layout, shown.thread, sampling.interval, &slot->own_points);
  return weight;
}

// True for the first sample of a thread with a stale point, which is skipped; the JVM draws a valid point after it.
bool has_stale_point(const AllocationSampling& sampling, ThreadSlot* slot) {
  if (std::exchange(slot->sample_point_known, true)) return false;
  const std::vector<int>& stale = sampling.threads_with_stale_points;
  return std::binary_search(stale.begin(), stale.end(), slot->tid.load(std::memory_order_relaxed));
}

void record_allocation(const PublishedSampling& published, AllocationSampling* sampling, jvmtiEnv* jvmti, JNIEnv* env,
                       const SampledObject& sampled) {
  bool is_exact = sampling->interval == 0;
  uint64_t entered = is_exact ? 0 : capture::now_ns();  // reading a clock for every object is expensive
  ThreadSlot* slot = slot_of_this_thread(sampling->number, sampling->slots_by_thread, &t_known);
  if (slot == nullptr) return;
  // Weighs objects of unwanted threads, too: the next weight continues from here.
  AllocationWeight weight = is_exact ? weight_of_allocation(sampled.size, 0) : weigh(*sampling, sampled, slot);
  bool is_stale = has_stale_point(*sampling, slot);
  if (is_stale || !weight.counts || !sampling->recorder->records(*slot)) return;
  capture::SampleInfo info;
  info.entered_ns = entered;
  if (is_exact) info.measure_every = kMeasureExactEvery;
  info.weight = std::llround(weight.bytes);
  info.objects = weight.objects;
  info.event = sampling->event;
  info.state = size_class(sampled.size);
  uint32_t number = sampling->classes->number_of(jvmti, env, sampled.object, sampled.allocated);
  Frame innermost = number == capture::NameTable::kNone ? Frame::marker(capture::Marker::kUnknown)
                                                        : Frame::allocated(number, capture::AllocationPlace::kUnknown);
  if (!published.publishes(sampling)) return;  // the JVM may have suspended this thread meanwhile
  capture::Recorded recorded = record_with_retry(sampling->recorder, sampling->drain, slot, info, innermost);
  if (sampling->vm.live == nullptr || recorded.stack == capture::StackTree::kFull) return;
  LiveObjects::Object object = {slot->serial,
                                recorded.stack,
                                info.weight,
                                info.objects,
                                CollectionCost::pauses_so_far(),
                                static_cast<uint8_t>(info.state),
                                recorded.labels,
                                recorded.span,
                                is_exact ? capture::now_ns() : entered};
  sampling->vm.live->add(env, sampled.object, object);
}

void JNICALL on_sampled_allocation(jvmtiEnv* jvmti, JNIEnv* env, jthread, jobject object, jclass allocated,
                                   jlong size) {
  PublishedSampling* published = g_published.current();
  PublishedSampling::Entry entry(published);
  if (entry.sampling() != nullptr)
    record_allocation(*published, entry.sampling(), jvmti, env, {object, allocated, size});
}

// Uses a JVMTI environment of its own: disposal returns all its capabilities.
class AllocationSampler : public SelfSamplingSource {
 public:
  explicit AllocationSampler(const AllocationView& vm) : classes_(vm.layout, vm.classes) {
    sampling_.vm = vm;
    sampling_.classes = &classes_;
  }
  AllocationSampler(const AllocationSampler&) = delete;
  AllocationSampler& operator=(const AllocationSampler&) = delete;
  ~AllocationSampler() override { AllocationSampler::stop(); }

  std::string engine() const override { return "SampledObjectAlloc"; }

  void start(const EventPlan& plan) override {
    open();
    try {
      sampling_.take(plan);
      find_slots(plan, SlotSearch::kSeekOrAdopt);
      bool owned_before = g_point_is_proven;
      listen();
      know_stale_points(owned_before);
      g_published.publish(&sampling_);
    } catch (...) {
      disable();
      stop();
      throw;
    }
  }

  // A new thread begins its own points here; for others the JVM's first sample does.
  bool attach_thread(ThreadSlot* slot) override {
    capture::CurrentJavaThread self(*sampling_.vm.layout, *sampling_.vm.access);
    if (slot->tid == current_tid() && owns_points(sampling_, self.address())) {
      begin_own_points(sampling_.vm.layout->allocations, self.address(), sampling_.interval, &slot->own_points);
      slot->sample_point_known = true;
    }
    return SelfSamplingSource::attach_thread(slot);
  }

  std::string trouble() const override { return trouble_; }

  void disable() override {
    jvmti_->SetHeapSamplingInterval(kUsualAllocationInterval);  // for future threads
    jvmti_->SetEventNotificationMode(JVMTI_DISABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, nullptr);
    if (!g_published.unpublish()) is_quiescent_ = false;
  }
  bool is_quiescent() const override { return is_quiescent_; }

  void stop() override {
    if (!jvmti_) return;
    jvmti_.reset();
    if (!is_quiescent_) return;
    classes_.clear(sampling_.vm.java_vm);
  }

 private:
  SlotsByThread& slots() override { return sampling_.slots_by_thread; }
  void open() {
    jvmti_ = JvmtiEnvironment(sampling_.vm.java_vm, JVMTI_VERSION_11);
    if (!jvmti_)
      throw Error("event=alloc needs JDK 11 or newer: older JVMs do not sample allocations", "use a newer JDK");
    jvmtiCapabilities wanted{};
    wanted.can_generate_sampled_object_alloc_events = 1;
    jvmtiError refused = jvmti_->AddCapabilities(&wanted);
    if (refused == JVMTI_ERROR_NONE) return;
    stop();
    if (refused == JVMTI_ERROR_NOT_AVAILABLE)
      throw Error("another agent samples this JVM's allocations, and on this JDK only one can",
                  "stop it, or start the JVM without it");
    throw Error(formatted("this JVM does not let its allocations be sampled (JVMTI error {})", int{refused}));
  }

  // Finds threads with points from before this session. Called with the interval set: new threads draw by it. Between
  // sessions threads drew by the usual interval or, if hearth `owned` points before this session, got a point from it;
  // which of both is unknown. One session at a time.
  void know_stale_points(bool owned) {
    static int64_t last_interval = kUsualAllocationInterval;
    int64_t before = std::exchange(last_interval, sampling_.interval);
    bool drew_alike = all_drew_by(sampling_.interval) && !owned;
    if (sampling_.interval == 0) return;
    bool counts_always = !sampling_.vm.layout->allocations.loses_count;  // since JDK 25, also while no agent samples
    capture::CurrentJavaThread self(*sampling_.vm.layout, *sampling_.vm.access);
    JNIEnv* env = env_of(self);
    bool is_java = env != nullptr;
    if (is_java) leave_tlab(env, sampling_.vm.layout->allocations, self.address());
    if (drew_alike && !counts_always) return;
    std::vector<int>& stale = sampling_.threads_with_stale_points;
    stale = tasks_of_process();
    // leave_tlab() has made the sampler look at this thread.
    if (is_java && drew_alike) stale.erase(std::remove(stale.begin(), stale.end(), current_tid()), stale.end());
    std::sort(stale.begin(), stale.end());
    if (before > kUsualAllocationInterval && !owned)
      trouble_ = formatted(
          "threads that were already running are counted after their next {} MB of allocation (on average), because "
          "of the sample points of the previous session",
          before >> 20);
  }

  void listen() {
    jvmtiEventCallbacks callbacks{};
    callbacks.SampledObjectAlloc = on_sampled_allocation;
    expect(jvmti_->SetEventCallbacks(&callbacks, sizeof callbacks), "take a callback");
    expect(jvmti_->SetHeapSamplingInterval(static_cast<jint>(sampling_.interval)), "set the interval");
    expect(jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, nullptr), "begin");
    if (sampling_.interval > 0) return prove_point();
    if (bring_sample_points_here(sampling_.vm.java_vm, jvmti_.get(), *sampling_.vm.layout, *sampling_.vm.access))
      return;
    trouble_ =
        "allocations of threads that started before the session are missing up to their next sample point "
        "(about 512 KiB each)";
    expect(jvmti_->SetHeapSamplingInterval(0), "set the interval");
  }

  // Null: this thread is none of the JVM's, or its structures are unknown.
  JNIEnv* env_of(const capture::CurrentJavaThread& self) const {
    JNIEnv* env = nullptr;
    bool is_java =
        self.is_java() && sampling_.vm.java_vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_8) == JNI_OK;
    return is_java ? env : nullptr;
  }

  // Where the JVM loses count. Without the proof, which fails if the program's heap is full, its samples are weighed by
  // what is known of its mistakes.
  void prove_point() {
    const capture::AllocationLayout& layout = sampling_.vm.layout->allocations;
    if (!layout.known || !layout.loses_count || !layout.has_tlab_limits || g_point_is_proven) return;
    capture::CurrentJavaThread self(*sampling_.vm.layout, *sampling_.vm.access);
    JNIEnv* env = env_of(self);
    if (env == nullptr) return;
    g_point_is_proven = holds_sample_point(env, jvmti_.get(), self.address() + layout.sample_point, sampling_.interval);
  }

  static void expect(jvmtiError result, const char* what) {
    if (result == JVMTI_ERROR_NONE) return;
    throw Error(formatted("the JVM's allocation sampler did not {} (JVMTI error {})", what, int{result}));
  }

  JvmtiEnvironment jvmti_;
  ClassNumbers classes_;
  AllocationSampling sampling_;
  bool is_quiescent_ = true;
  std::string trouble_;
};

}  // namespace

bool has_allocation_sampler(JavaVM* java_vm) {
  return static_cast<bool>(JvmtiEnvironment(java_vm, JVMTI_VERSION_11));
}

std::unique_ptr<EventSource> make_allocation_sampler(const AllocationView& vm) {
  return std::make_unique<AllocationSampler>(vm);
}

}  // namespace hearth::events
