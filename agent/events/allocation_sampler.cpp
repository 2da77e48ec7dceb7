#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/formatted.h"
#include "base/jvm_refs.h"
#include "capture/safe_load.h"
#include "events/allocation_weight.h"
#include "events/called_by_jvm.h"
#include "events/class_numbers.h"
#include "events/collection_cost.h"
#include "events/event_source.h"
#include "events/handlers/known_slot.h"
#include "events/record_roomily.h"
#include "events/sample_points.h"
#include "events/self_sampling_source.h"
#include "events/size_class.h"
#include "events/thread_follower.h"

namespace hearth::events {
namespace {

using capture::Frame;
using capture::ThreadSlot;

// What the callback of the running session works on.
struct AllocationSampling : CalledSampling {
  AllocationView vm;
  ClassNumbers* classes = nullptr;
  // In order: threads whose first sample says nothing, for the JVM drew its place by another interval, or counted what
  // they allocated before the session.
  std::vector<int> threads_with_stale_points;
};

constexpr uint64_t kMeasureExactEvery = 64;

using PublishedSampling = Published<AllocationSampling>;

PublishedToCallbacks<AllocationSampling> g_published;
__attribute__((tls_model("initial-exec"))) thread_local KnownSlot t_known = {0, nullptr, 0};

// What the JVM tells of the object.
struct SampledObject {
  jobject object;
  jclass allocated;
  jlong size;
};

// A collection may move the object meanwhile: then it is taken for one outside of the TLAB, at worst.
AllocationWeight weigh(const AllocationSampling& sampling, const SampledObject& sampled, ThreadSlot* slot) {
  capture::CurrentJavaThread thread(*sampling.vm.layout, *sampling.vm.access);
  uintptr_t address = capture::load(reinterpret_cast<uintptr_t>(sampled.object));
  return weigh_sampled_object(sampling.vm.layout->allocations, thread.address(), address, sampled.size,
                              sampling.interval, &slot->allocated);
}

// The first sample of a thread with a stale point is passed over; with it the thread draws a point that is good.
bool has_stale_point(const AllocationSampling& sampling, ThreadSlot* slot) {
  if (std::exchange(slot->drew_sample_point, true)) return false;
  const std::vector<int>& stale = sampling.threads_with_stale_points;
  return std::binary_search(stale.begin(), stale.end(), slot->tid.load(std::memory_order_relaxed));
}

void record_allocation(const PublishedSampling& published, AllocationSampling* sampling, jvmtiEnv* jvmti, JNIEnv* env,
                       const SampledObject& sampled) {
  bool is_exact = sampling->interval == 0;
  uint64_t entered = is_exact ? 0 : capture::now_ns();  // a clock is not nothing where objects are this many
  ThreadSlot* slot = slot_of_this_thread(sampling->number, sampling->slots_by_thread, &t_known);
  if (slot == nullptr) return;
  // Also of those that are not wanted now: the next ones go on from there.
  AllocationWeight weight = is_exact ? weight_of_allocation(sampled.size, 0) : weigh(*sampling, sampled, slot);
  bool is_stale = has_stale_point(*sampling, slot);
  if (is_stale || !weight.counts || !sampling->recorder->records(*slot)) return;
  capture::Occasion occasion;
  occasion.entered_ns = entered;
  if (is_exact) occasion.measure_every = kMeasureExactEvery;
  occasion.weight = std::llround(weight.bytes);
  occasion.objects = weight.objects;
  occasion.event = sampling->event;
  occasion.state = size_class(sampled.size);
  uint32_t number = sampling->classes->number_of(jvmti, env, sampled.object, sampled.allocated);
  Frame innermost = number == capture::NameTable::kNone ? Frame::marker(capture::Marker::kUnknown)
                                                        : Frame::allocated(number, capture::AllocationPlace::kUnknown);
  if (!published.publishes(sampling)) return;  // after the JVM let this thread wait
  capture::Recorded recorded = record_roomily(sampling->recorder, sampling->make_room, slot, occasion, innermost);
  if (sampling->vm.live == nullptr || recorded.stack == capture::StackTree::kFull) return;
  sampling->vm.live->add(
      env, sampled.object,
      {slot->serial, recorded.stack, occasion.weight, occasion.objects, CollectionCost::pauses_so_far(),
       static_cast<uint8_t>(occasion.state), recorded.labels, recorded.span});
}

void JNICALL on_sampled_allocation(jvmtiEnv* jvmti, JNIEnv* env, jthread, jobject object, jclass allocated,
                                   jlong size) {
  PublishedSampling* published = g_published.current();
  PublishedSampling::Entry entry(published);
  if (entry.sampling() != nullptr)
    record_allocation(*published, entry.sampling(), jvmti, env, {object, allocated, size});
}

// A door of its own to the JVM: closing it gives back what it had.
class AllocationSampler : public SelfSamplingSource {
 public:
  explicit AllocationSampler(const AllocationView& vm)
      : SelfSamplingSource(&sampling_.slots_by_thread), classes_(vm.layout, vm.classes) {
    sampling_.vm = vm;
    sampling_.classes = &classes_;
  }
  AllocationSampler(const AllocationSampler&) = delete;
  AllocationSampler& operator=(const AllocationSampler&) = delete;
  ~AllocationSampler() override { stop(); }

  std::string engine() const override { return "SampledObjectAlloc"; }

  void start(const EventPlan& plan) override {
    open();
    try {
      sampling_.take(plan);
      find_slots(plan, seek_or_adopt_slot);
      listen();
      know_stale_points();
      g_published.publish(&sampling_);
    } catch (...) {
      silence();
      stop();
      throw;
    }
  }

  std::string trouble() const override { return trouble_; }

  void silence() override {
    jvmti_->SetHeapSamplingInterval(kUsualInterval);  // of threads to come
    jvmti_->SetEventNotificationMode(JVMTI_DISABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, nullptr);
    if (!g_published.withdraw()) is_left_ = false;
  }
  bool is_left() const override { return is_left_; }

  void stop() override {
    if (jvmti_ == nullptr) return;
    jvmti_->DisposeEnvironment();
    jvmti_ = nullptr;
    if (!is_left_) return;
    JvmAttachment attachment(sampling_.vm.java_vm, "hearth");
    if (attachment.env() != nullptr) classes_.clear(attachment.env());
  }

 private:
  void open() {
    if (sampling_.vm.java_vm->GetEnv(reinterpret_cast<void**>(&jvmti_), JVMTI_VERSION_11) != JNI_OK)
      throw Error("event=alloc needs JDK 11 or newer, whose JVM samples allocations", "use a newer JDK");
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

  // The interval is set: who comes from now on draws by it. Between sessions threads drew by the usual one, and which
  // of those that are there did is not known. One session at a time.
  void know_stale_points() {
    static int64_t points_drawn_by = kUsualInterval;
    int64_t before = std::exchange(points_drawn_by, sampling_.interval);
    bool counts_always = !sampling_.vm.layout->allocations.loses_count;  // since JDK 25, also while nobody samples
    bool drew_alike = before == kUsualInterval && sampling_.interval == kUsualInterval;
    if (sampling_.interval == 0 || (drew_alike && !counts_always)) return;
    sampling_.threads_with_stale_points = tasks_of_process();
    std::sort(sampling_.threads_with_stale_points.begin(), sampling_.threads_with_stale_points.end());
    if (before > kUsualInterval)
      trouble_ = formatted(
          "threads that were there before show nothing until they have allocated as much as the session before left to "
          "them, {} MB on average",
          before >> 20);
  }

  void listen() {
    jvmtiEventCallbacks callbacks{};
    callbacks.SampledObjectAlloc = on_sampled_allocation;
    expect(jvmti_->SetEventCallbacks(&callbacks, sizeof callbacks), "take a callback");
    expect(jvmti_->SetHeapSamplingInterval(static_cast<jint>(sampling_.interval)), "set the interval");
    expect(jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, nullptr), "begin");
    if (sampling_.interval > 0) return;
    if (bring_sample_points_here(sampling_.vm.java_vm, jvmti_, *sampling_.vm.layout, *sampling_.vm.access)) return;
    trouble_ =
        "threads that were there before were not told to show each object at once: what they allocated up to the "
        "sample point that they had (some 512 KiB) is missing";
    expect(jvmti_->SetHeapSamplingInterval(0), "set the interval");
  }

  static void expect(jvmtiError result, const char* what) {
    if (result == JVMTI_ERROR_NONE) return;
    throw Error(formatted("the JVM's allocation sampler did not {} (JVMTI error {})", what, int{result}));
  }

  static constexpr jint kUsualInterval = 512 << 10;  // the JVM's own

  jvmtiEnv* jvmti_ = nullptr;
  ClassNumbers classes_;
  AllocationSampling sampling_;
  bool is_left_ = true;
  std::string trouble_;
};

}  // namespace

bool has_allocation_sampler(JavaVM* java_vm) {
  jvmtiEnv* jvmti = nullptr;
  if (java_vm->GetEnv(reinterpret_cast<void**>(&jvmti), JVMTI_VERSION_11) != JNI_OK) return false;
  jvmti->DisposeEnvironment();
  return true;
}

std::unique_ptr<EventSource> make_allocation_sampler(const AllocationView& vm) {
  return std::make_unique<AllocationSampler>(vm);
}

}  // namespace hearth::events
