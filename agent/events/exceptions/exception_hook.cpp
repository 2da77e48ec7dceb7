#include "events/exceptions/exception_hook.h"

#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"
#include "base/random.h"
#include "boot_classes.h"
#include "bytecode/class_rewriter.h"
#include "events/boot_class.h"
#include "events/class_file_hook.h"
#include "events/vm/callback_sampling.h"

namespace hearth::events {

struct ExceptionHookState {
  uint64_t number = 0;  // as Published needs
  std::mutex mutex;
  // All below are under the mutex.
  bool hooks = true;    // false: Throwable gets its own code back
  size_t hooked = 0;    // constructors
  std::string refused;  // why not
};

namespace {

constexpr const char* kThrowable = "java/lang/Throwable";

const bytecode::HookClass kHooks = {kExceptionHookClass, "", "", "", "made"};

PublishedToCallbacks<ExceptionHookState> g_state;
std::atomic<ExceptionObserver> g_observer{nullptr};
jclass g_hooks = nullptr;     // global
jobject g_counter = nullptr;  // global: its AtomicLong
jfieldID g_count = nullptr;   // the value of that

void JNICALL on_sampled(JNIEnv* env, jclass, jobject exception, jlong weight) {
  if (ExceptionObserver observer = g_observer.load(std::memory_order_acquire)) observer(env, exception, weight);
}

// Its value is read without running Java code, which a JVM that ends may not do.
void find_counter(JNIEnv* env) {
  jfieldID field = env->GetStaticFieldID(g_hooks, "MADE", "Ljava/util/concurrent/atomic/AtomicLong;");
  LocalRef counter(env, field == nullptr ? nullptr : env->GetStaticObjectField(g_hooks, field));
  LocalRef type(env, counter.get() == nullptr ? nullptr : env->GetObjectClass(counter.get()));
  if (type.get() != nullptr) g_count = env->GetFieldID(static_cast<jclass>(type.get()), "value", "J");
  if (g_count != nullptr) g_counter = env->NewGlobalRef(counter.get());
  env->ExceptionClear();
}

void define_hooks(JNIEnv* env) {
  if (g_hooks != nullptr) return;
  g_hooks = define_boot_class(env, {kExceptionHookClass,
                                    java::exceptions_class(),
                                    {{const_cast<char*>("sampled"), const_cast<char*>("(Ljava/lang/Object;J)V"),
                                      reinterpret_cast<void*>(&on_sampled)}},
                                    "stop",
                                    "()V"});
  find_counter(env);
}

bool start_hooks(JNIEnv* env, int64_t interval) {
  constexpr int kWord = 32;
  jmethodID start = env->GetStaticMethodID(g_hooks, "start", "(JJ)V");
  if (start != nullptr)
    env->CallStaticVoidMethod(g_hooks, start, jlong{interval},
                              static_cast<jlong>(uint64_t{random_seed()} << kWord | random_seed()));
  bool is_done = env->ExceptionCheck() == JNI_FALSE;
  env->ExceptionClear();
  return is_done;
}

void stop_hooks(JNIEnv* env) {
  if (jmethodID stop = env->GetStaticMethodID(g_hooks, "stop", "()V")) env->CallStaticVoidMethod(g_hooks, stop);
  env->ExceptionClear();
}

void hook_constructors(jvmtiEnv* jvmti, bytecode::ByteReader bytes, ExceptionHookState* state, jint* new_size,
                       unsigned char** new_bytes) {
  bytecode::RewrittenClass changed = bytecode::rewrite_class(bytes, kHooks, [](const bytecode::MethodId& method) {
    bytecode::MethodHooks hooks;
    hooks.made = method.name == "<init>";
    return hooks;
  });
  state->hooked = 0;
  state->refused = changed.refused.empty() ? "" : changed.refused.front();
  if (changed.hooked == 0 || !changed.refused.empty()) return;
  if (give_class_file(jvmti, changed.bytes, new_size, new_bytes)) state->hooked = changed.hooked;
}

void JNICALL on_class_file(jvmtiEnv* jvmti, JNIEnv*, jclass, jobject loader, const char* name, jobject, jint size,
                           const unsigned char* bytes, jint* new_size, unsigned char** new_bytes) {
  if (loader != nullptr || name == nullptr || std::strcmp(name, kThrowable) != 0) return;
  Published<ExceptionHookState>::Entry entry(g_state.current());
  ExceptionHookState* state = entry.sampling();
  if (state == nullptr) return;
  std::lock_guard<std::mutex> lock(state->mutex);
  if (!state->hooks) return;
  try {
    hook_constructors(jvmti, bytecode::ByteReader(bytes, static_cast<size_t>(size)), state, new_size, new_bytes);
  } catch (const std::exception& error) {
    state->refused = error.what();
  }
}

}  // namespace

ExceptionHook::ExceptionHook(JavaVM* java_vm, const std::atomic<bool>* vm_ends)
    : java_vm_(java_vm), vm_ends_(vm_ends), state_(std::make_unique<ExceptionHookState>()) {}

ExceptionHook::~ExceptionHook() {
  stop();
  if (!is_quiescent_) static_cast<void>(state_.release());  // a thread is suspended while it uses the state
}

void ExceptionHook::change_throwable(JNIEnv* env) {
  LocalRef throwable(env, env->FindClass(kThrowable));
  auto type = static_cast<jclass>(throwable.get());
  jvmtiError error = type == nullptr ? JVMTI_ERROR_INVALID_CLASS : jvmti_->RetransformClasses(1, &type);
  env->ExceptionClear();
  if (error != JVMTI_ERROR_NONE)
    throw Error(formatted("this JVM does not let java.lang.Throwable be changed (JVMTI error {})", int{error}));
}

void ExceptionHook::start(int64_t interval, ExceptionObserver observer) {
  JvmAttachment attachment(java_vm_, "hearth");
  JNIEnv* env = attachment.env();
  if (env == nullptr) throw Error("this JVM accepts no more threads");
  define_hooks(env);
  g_state.publish(state_.get());
  is_published_ = true;
  try {
    jvmti_ = hook_class_files(java_vm_, on_class_file);
    change_throwable(env);
    if (state_->hooked == 0)
      throw Error(
          formatted("java.lang.Throwable took no hook{}{}", state_->refused.empty() ? "" : ": ", state_->refused));
    g_observer.store(observer, std::memory_order_release);
    if (!start_hooks(env, interval)) throw Error("the JVM has no memory to count exceptions");
    counts_.store(true, std::memory_order_release);
  } catch (...) {
    stop();
    throw;
  }
}

void ExceptionHook::stop() {
  if (!std::exchange(is_published_, false)) return;
  JvmAttachment attachment(java_vm_, "hearth");
  JNIEnv* env = attachment.env();
  bool changes_classes = env != nullptr && !*vm_ends_;
  if (changes_classes) stop_hooks(env);
  count_.store(count(), std::memory_order_relaxed);
  counts_.store(false, std::memory_order_release);
  g_observer.store(nullptr, std::memory_order_release);
  bool is_hooked = false;
  {
    std::lock_guard<std::mutex> lock(state_->mutex);
    state_->hooks = false;
    is_hooked = state_->hooked != 0;
  }
  if (changes_classes && is_hooked) {
    try {
      change_throwable(env);
    } catch (const Error&) {
      // The JVM ends.
    }
  }
  if (jvmti_) jvmti_->SetEventNotificationMode(JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, nullptr);
  is_quiescent_ = g_state.unpublish();
  jvmti_.reset();
}

std::string ExceptionHook::trouble() const {
  std::lock_guard<std::mutex> lock(state_->mutex);
  if (state_->hooked != 0) return "";
  return formatted("exceptions are no longer counted, as java.lang.Throwable was changed and took no hook: {}",
                   state_->refused);
}

int64_t ExceptionHook::count() const {
  if (!counts_.load(std::memory_order_acquire)) return count_.load(std::memory_order_relaxed);
  JvmAttachment attachment(java_vm_, "hearth");
  JNIEnv* env = attachment.env();
  return env == nullptr || g_counter == nullptr ? 0 : env->GetLongField(g_counter, g_count);
}

}  // namespace hearth::events
