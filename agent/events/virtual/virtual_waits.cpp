#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/jvm_refs.h"
#include "events/alloc/class_numbers.h"
#include "events/alloc/size_class.h"
#include "events/calls/call_hooks.h"
#include "events/calls/wait_hooks.h"
#include "events/event_source.h"
#include "events/handlers/hook_slot.h"
#include "events/lock/lock_weight.h"
#include "events/lock/park_hook.h"
#include "events/lock/wait_interval.h"
#include "events/record_with_retry.h"
#include "events/self_sampling_source.h"
#include "events/virtual/unmounted_stacks.h"
#include "events/vm/callback_sampling.h"

namespace hearth::events {
namespace {

using capture::Frame;
using capture::ThreadSlot;

// State of the running session for the hooks.
struct VirtualSampling : CallbackSampling {
  ClassNumbers* classes = nullptr;
  jvmtiEnv* jvmti = nullptr;
  jfieldID park_blocker = nullptr;  // of java.lang.Thread
  WaitInterval waits{128};
};

using PublishedSampling = Published<VirtualSampling>;

PublishedToCallbacks<VirtualSampling> g_published(number_before(HookKind::kVirtualWaits, 0));

// What the thread waits for.
std::optional<Frame> awaited(VirtualSampling* sampling, JNIEnv* env, jobject thread) {
  uint32_t blocker = number_of_blocker(sampling->classes, sampling->jvmti, env, thread, sampling->park_blocker);
  if (blocker == capture::NameTable::kNone) return std::nullopt;
  return Frame::of(capture::RawKind::kLock, blocker);
}

void on_waited(JNIEnv* env, int64_t time_ns, int32_t threshold, jobject thread, uint8_t frames) {
  PublishedSampling* published = g_published.current();
  PublishedSampling::Entry entry(published);
  VirtualSampling* sampling = entry.sampling();
  if (sampling == nullptr) return;
  uint64_t now_ns = capture::now_ns();
  int64_t interval = sampling->waits.at(now_ns);
  double share = std::ldexp(static_cast<double>(threshold), -kThresholdBits);
  time_ns = std::max<int64_t>(time_ns, 1);
  LockWeight weight = weight_above(time_ns, interval, static_cast<int64_t>(share * static_cast<double>(interval)));
  if (weight.contentions == 0) return;
  ThreadSlot* slot = slot_of_hook(sampling->number, sampling->slots_by_thread);
  if (slot == nullptr || !sampling->recorder->records(*slot)) return;
  sampling->waits.sampled();
  capture::SampleInfo info;
  info.entered_ns = now_ns;
  info.event = sampling->event;
  info.is_virtual = true;
  info.leaf = awaited(sampling, env, thread);
  info.weight = weight.delay_ns;
  info.objects = weight.contentions;
  info.state = size_class(time_ns);
  info.hooks = frames;
  if (!published->publishes(sampling)) return;  // the JVM may have suspended this thread meanwhile
  record_with_retry(sampling->recorder, sampling->drain, slot, info, std::nullopt);
}

class VirtualWaits : public SelfSamplingSource {
 public:
  explicit VirtualWaits(const VirtualWaitView& view) : view_(view), classes_(view.locks.layout, view.locks.classes) {
    sampling_.classes = &classes_;
  }
  VirtualWaits(const VirtualWaits&) = delete;
  VirtualWaits& operator=(const VirtualWaits&) = delete;
  ~VirtualWaits() override {
    VirtualWaits::disable();
    VirtualWaits::stop();
  }

  std::string engine() const override { return "bytecode"; }

  void start(const EventPlan& plan) override {
    plan_ = plan;
    auto began_ns = static_cast<int64_t>(capture::now_ns());
    std::vector<CallTarget> targets = find_targets(plan.interval);
    jvmti_ = JvmtiEnvironment::opened(view_.locks.java_vm);
    sampling_.jvmti = jvmti_.get();
    sampling_.take(plan);
    sampling_.waits.start(plan.interval);
    find_slots(plan, SlotSearch::kSeekOrAdopt);
    hooks_.emplace(view_.locks.java_vm, view_.vm_ends, CallHook::kWait, std::move(targets));
    g_published.publish(&sampling_);
    observe_waits(&on_waited);
    is_published_ = true;
    try {
      hooks_->start(nullptr);
      is_followed_ = true;
      if (hooks_->hooked_methods() == 0) throw Error("this JVM does not let the waits of virtual threads be observed");
      find_waiting(began_ns);
    } catch (...) {
      disable();
      stop();
      throw;
    }
  }

  std::string trouble() const override {
    if (!lists_threads_)
      return "vthreads: this JVM does not list its virtual threads; waits that began before are not seen";
    return trouble_.empty() && hooks_ ? hooks_->trouble() : trouble_;
  }

  // Waits that go on: their time since the last call. At the JVM's end they are not told any more.
  void flush() override {
    if (*view_.vm_ends) return;  // a tick may hold the lock for ever
    std::lock_guard<std::mutex> lock(parts_mutex_);
    if (!is_followed_) return;
    JvmAttachment attachment(view_.locks.java_vm, "hearth");
    JNIEnv* env = attachment.env();
    if (env == nullptr) return;
    lists_threads_ = list_waiting_threads(env);
    count_found(env);
  }

  // Notes the waits that go on while it is known when they have begun.
  void tick() override {
    std::lock_guard<std::mutex> lock(parts_mutex_);
    if (!is_followed_ || *view_.vm_ends) return;
    JvmAttachment attachment(view_.locks.java_vm, "hearth");
    if (attachment.env() == nullptr) return;
    lists_threads_ = list_waiting_threads(attachment.env());
  }

  void disable() override {
    if (!is_published_) return;
    unhook();
    VirtualWaits::flush();
    ignore();
    is_published_ = false;
    trouble_ = hooks_->trouble();
    observe_waits(nullptr);
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

  // The methods in which virtual threads wait, on the outside of those where no hook may run: java.lang.VirtualThread
  // leaves the carrier there. JDK 21 has sleep(…) without sleepNanos(long).
  std::vector<CallTarget> find_targets(int64_t interval) {
    JvmAttachment attachment(view_.locks.java_vm, "hearth");
    JNIEnv* env = attachment.env();
    if (env == nullptr) throw Error("this JVM accepts no more threads");
    if (!has_virtual_threads(env)) throw Error("this JVM has no virtual threads", "they are there from JDK 21 on");
    sampling_.park_blocker = find_park_blocker(env);
    if (sampling_.park_blocker == nullptr) throw Error("java.lang.Thread has no parkBlocker");
    LocalRef thread(env, env->FindClass("java/lang/Thread"));
    bool has_sleep_nanos = env->GetStaticMethodID(static_cast<jclass>(thread.get()), "sleepNanos", "(J)V") != nullptr;
    env->ExceptionClear();
    std::vector<std::string> names = {"java.lang.System$*.parkVirtualThread", "java.lang.Object.wait(J)V"};
    if (has_sleep_nanos)
      names.emplace_back("java.lang.Thread.sleepNanos");
    else
      names.insert(names.end(), {"java.lang.Thread.sleep(J)V", "java.lang.Thread.sleep(JI)V",
                                 "java.lang.Thread.sleep(Ljava/time/Duration;)V"});
    std::vector<CallTarget> targets;
    targets.reserve(CallHooks::kMostTargets);
    for (const std::string& name : names) targets.push_back({options::CallPattern(name), interval, false});
    // They are called behind waits.
    for (const char* name : {"java.util.concurrent.locks.LockSupport.setBlocker", "java.lang.Thread.afterSleep"})
      targets.push_back({options::CallPattern(name), interval, true});
    return targets;
  }

  // It takes its time, in which waits go on.
  void unhook() {
    if (is_followed_ && !*view_.vm_ends) {
      JvmAttachment attachment(view_.locks.java_vm, "hearth");
      if (attachment.env() != nullptr) expect_no_more_hooks(attachment.env());
    }
    hooks_->stop();
  }

  void ignore() {
    if (*view_.vm_ends) return;
    std::lock_guard<std::mutex> lock(parts_mutex_);
    if (!std::exchange(is_followed_, false)) return;
    JvmAttachment attachment(view_.locks.java_vm, "hearth");
    if (attachment.env() != nullptr) ignore_waits(attachment.env());
  }

  // Of waits that began before the hooks were there.
  void find_waiting(int64_t since_ns) {
    JvmAttachment attachment(view_.locks.java_vm, "hearth");
    if (attachment.env() == nullptr) throw Error("this JVM accepts no more threads");
    report_waits_since(attachment.env(), since_ns);
    lists_threads_ = list_waiting_threads(attachment.env());
  }

  void count_found(JNIEnv* env) {
    constexpr int kMost = 512;
    StillWaiting still = still_waiting(env, kMost);
    auto now_ns = capture::now_ns();
    UnmountedStacks stacks(jvmti_.get(), plan_.tree, view_.names);
    std::vector<std::optional<uint32_t>> found =
        stacks.of(env, still.threads, [&](jthread thread) { return awaited(&sampling_, env, thread); });
    for (size_t i = 0; i < still.threads.size(); i++) {
      LocalRef owned(env, still.threads[i]);
      if (still.times_ns[i] > 0) add(found[i], still.times_ns[i], still.counts[i], now_ns);
    }
  }

  // Adds a wait that goes on, or several of that time in all.
  void add(std::optional<uint32_t> stack, int64_t time_ns, double waits, uint64_t now_ns) const {
    capture::Sample sample{};
    sample.time_ns = now_ns;
    sample.weight = time_ns;
    sample.objects = waits;
    sample.stack = stack.value_or(capture::StackTree::kRoot);
    sample.event = plan_.event;
    sample.state = size_class(std::llround(static_cast<double>(time_ns) / std::max(waits, 1e-3)));
    plan_.add(sample);
    plan_.recorder->count_again({sample.stack, 0, 0, stack.has_value(), stack.has_value()}, 1);
  }

  const VirtualWaitView view_;
  JvmtiEnvironment jvmti_;
  ClassNumbers classes_;
  VirtualSampling sampling_;
  EventPlan plan_;
  std::optional<CallHooks> hooks_;
  std::mutex parts_mutex_;  // of the next
  bool is_followed_ = false;
  std::atomic<bool> lists_threads_{true};
  bool is_published_ = false;
  bool is_quiescent_ = true;
  std::string trouble_;
};

}  // namespace

std::unique_ptr<EventSource> make_virtual_waits(const VirtualWaitView& view) {
  return std::make_unique<VirtualWaits>(view);
}

}  // namespace hearth::events
