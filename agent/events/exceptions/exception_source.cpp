#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/jvm_refs.h"
#include "events/alloc/class_numbers.h"
#include "events/event_source.h"
#include "events/exceptions/catchers.h"
#include "events/exceptions/exception_hook.h"
#include "events/handlers/hook_slot.h"
#include "events/record_with_retry.h"
#include "events/self_sampling_source.h"
#include "events/vm/callback_sampling.h"

namespace hearth::events {
namespace {

using capture::Frame;

// State of the running session for its hook.
struct ExceptionSampling : CallbackSampling {
  jvmtiEnv* jvmti = nullptr;
  ClassNumbers* classes = nullptr;
  ExceptionTraits* traits = nullptr;
  const capture::VmLayout* layout = nullptr;
  jfieldID message = nullptr;  // of Throwable; null: messages are not read
};

PublishedToCallbacks<ExceptionSampling> g_published(number_before(HookKind::kExceptions, 0));

bool is_constructor_of(JNIEnv* env, jvmtiEnv* jvmti, jmethodID method, jclass type) {
  char* name = nullptr;
  if (jvmti->GetMethodName(method, &name, nullptr, nullptr) != JVMTI_ERROR_NONE) return false;
  JvmtiMemory owned(jvmti, name);
  if (std::strcmp(name, "<init>") != 0) return false;
  jclass holder = nullptr;
  if (jvmti->GetMethodDeclaringClass(method, &holder) != JVMTI_ERROR_NONE) return false;
  LocalRef owned_holder(env, holder);
  return env->IsAssignableFrom(type, holder) == JNI_TRUE;
}

// Returns the number of constructors of the exception's own classes that are running, which stack traces leave out as
// well. At least one is.
uint8_t running_constructors(JNIEnv* env, jvmtiEnv* jvmti, jclass type) {
  constexpr jint kAtOnce = 8;
  constexpr uint8_t kMost = 200;
  std::array<jvmtiFrameInfo, kAtOnce> frames{};
  uint8_t running = 0;
  for (jint count = kAtOnce; count == kAtOnce && running < kMost;) {
    jvmtiError error = jvmti->GetStackTrace(nullptr, ExceptionHook::kFrames + running, kAtOnce, frames.data(), &count);
    if (error != JVMTI_ERROR_NONE) break;
    for (jint i = 0; i < count; i++, running++)
      if (!is_constructor_of(env, jvmti, frames[static_cast<size_t>(i)].method, type))
        return std::max<uint8_t>(running, 1);
  }
  return std::max<uint8_t>(running, 1);
}

uint16_t message_of(JNIEnv* env, const ExceptionSampling& sampling, jobject exception) {
  LocalRef text(env, env->GetObjectField(exception, sampling.message));
  auto message = static_cast<jstring>(text.get());
  if (message == nullptr) return MessageShapes::kNone;
  std::array<jchar, MessageShapes::kMostRead> units{};
  jsize length = std::min<jsize>(env->GetStringLength(message), units.size());
  env->GetStringRegion(message, 0, length, units.data());
  try {
    return sampling.traits->messages.number_of(std::u16string(units.begin(), units.begin() + length));
  } catch (const std::bad_alloc&) {
    return MessageShapes::kNone;
  }
}

// `hooks`: Java frames inside of the one that throws.
uint16_t traits_of(JNIEnv* env, const ExceptionSampling& sampling, jobject exception, jclass type, int hooks) {
  uint16_t message = sampling.message == nullptr ? MessageShapes::kNone : message_of(env, sampling, exception);
  try {
    return sampling.traits->number_of(message, find_catcher(env, sampling.jvmti, *sampling.layout, type, hooks));
  } catch (const std::bad_alloc&) {
    return ExceptionTraits::kNone;
  }
}

void on_exception(JNIEnv* env, jobject exception, int64_t weight) {
  Published<ExceptionSampling>* published = g_published.current();
  Published<ExceptionSampling>::Entry entry(published);
  ExceptionSampling* sampling = entry.sampling();
  if (sampling == nullptr) return;
  capture::ThreadSlot* slot = slot_of_hook(sampling->number, sampling->slots_by_thread);
  if (slot == nullptr || !sampling->recorder->records(*slot)) return;
  capture::SampleInfo info;
  info.entered_ns = capture::now_ns();
  info.event = sampling->event;
  info.weight = weight;
  LocalRef type(env, env->GetObjectClass(exception));
  auto its_class = static_cast<jclass>(type.get());
  info.hooks = static_cast<uint8_t>(ExceptionHook::kFrames + running_constructors(env, sampling->jvmti, its_class));
  uint32_t number = sampling->classes->number_of(sampling->jvmti, env, exception, its_class);
  info.leaf = number == capture::NameTable::kNone ? Frame::marker(capture::Marker::kUnknown)
                                                  : Frame::allocated(number, capture::AllocationPlace::kUnknown);
  info.state = traits_of(env, *sampling, exception, its_class, info.hooks);
  if (!published->publishes(sampling)) return;  // the JVM may have suspended this thread meanwhile
  record_with_retry(sampling->recorder, sampling->drain, slot, info, std::nullopt);
}

class Exceptions : public SelfSamplingSource {
 public:
  explicit Exceptions(const ThrowableView& view) : view_(view), classes_(view.layout, view.classes) {
    sampling_.classes = &classes_;
    sampling_.traits = view.traits;
    sampling_.layout = view.layout;
  }
  Exceptions(const Exceptions&) = delete;
  Exceptions& operator=(const Exceptions&) = delete;
  ~Exceptions() override { Exceptions::stop(); }

  std::string engine() const override { return "bytecode"; }

  void start(const EventPlan& plan) override {
    sampling_.take(plan);
    find_slots(plan, SlotSearch::kSeekOrAdopt);
    find_message();
    jvmti_ = JvmtiEnvironment::opened(view_.java_vm);
    sampling_.jvmti = jvmti_.get();
    hook_.emplace(view_.java_vm, view_.vm_ends);
    g_published.publish(&sampling_);
    is_published_ = true;
    try {
      hook_->start(plan.interval, on_exception);
      std::lock_guard<std::mutex> lock(mutex_);
      began_ns_ = capture::now_ns();
    } catch (...) {
      stop();
      throw;
    }
  }

  void disable() override {
    if (!std::exchange(is_published_, false)) return;
    trouble_ = Exceptions::trouble();
    hook_->stop();
    add_to_earlier();
    if (!g_published.unpublish()) is_quiescent_ = false;
  }
  bool is_quiescent() const override { return is_quiescent_; }

  std::optional<MadeExceptions> exceptions() const override {
    std::lock_guard<std::mutex> lock(mutex_);
    MadeExceptions made = *view_.earlier;
    if (began_ns_ == 0) return made;
    made.count += hook_->count();
    made.time_ns += static_cast<int64_t>(capture::now_ns() - began_ns_);
    return made;
  }

  void stop() override {
    Exceptions::disable();
    if (!jvmti_ || !is_quiescent_) return;
    jvmti_.reset();
    classes_.clear(view_.java_vm);
  }

  std::string trouble() const override { return trouble_.empty() && is_published_ ? hook_->trouble() : trouble_; }

 private:
  SlotsByThread& slots() override { return sampling_.slots_by_thread; }

  void add_to_earlier() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (began_ns_ != 0) view_.earlier->time_ns += static_cast<int64_t>(capture::now_ns() - began_ns_);
    began_ns_ = 0;
    view_.earlier->count += hook_->count();
  }

  void find_message() {
    if (!view_.reads_messages) return;
    JvmAttachment attachment(view_.java_vm, "hearth");
    JNIEnv* env = attachment.env();
    if (env == nullptr) throw Error("this JVM accepts no more threads");
    LocalRef throwable(env, env->FindClass("java/lang/Throwable"));
    if (throwable.get() != nullptr)
      sampling_.message = env->GetFieldID(static_cast<jclass>(throwable.get()), "detailMessage", "Ljava/lang/String;");
    env->ExceptionClear();
    if (sampling_.message == nullptr)
      throw Error("java.lang.Throwable of this JVM has no detailMessage", "leave messages out");
  }

  const ThrowableView view_;
  ClassNumbers classes_;
  JvmtiEnvironment jvmti_;
  ExceptionSampling sampling_;
  std::optional<ExceptionHook> hook_;
  bool is_published_ = false;
  std::string trouble_;
  mutable std::mutex mutex_;
  uint64_t began_ns_ = 0;  // CLOCK_MONOTONIC; 0: it does not run. Under the mutex, as view_.earlier.
  bool is_quiescent_ = true;
};

}  // namespace

std::unique_ptr<EventSource> make_exceptions(const ThrowableView& view) {
  return std::make_unique<Exceptions>(view);
}

}  // namespace hearth::events
