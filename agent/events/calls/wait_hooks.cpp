#include "events/calls/wait_hooks.h"

#include <atomic>

#include "base/error.h"
#include "base/jvm_refs.h"
#include "boot_classes.h"
#include "capture/recorder.h"
#include "events/boot_class.h"

namespace hearth::events {
namespace {

constexpr const char* kVirtualThread = "java/lang/BaseVirtualThread";

std::atomic<WaitObserver> g_observer{nullptr};
jclass g_hooks = nullptr;  // global
// Of the class; written before the first hook runs.
jfieldID g_since = nullptr, g_unhooked = nullptr, g_times = nullptr, g_counts = nullptr;
jmethodID g_ignore = nullptr;

void JNICALL on_waited(JNIEnv* env, jclass, jlong took, jint threshold, jobject thread, jint frames) {
  if (WaitObserver observer = g_observer.load(std::memory_order_acquire))
    observer(env, took, threshold, thread, static_cast<uint8_t>(frames));
}

jclass virtual_thread(JNIEnv* env) {
  jclass type = env->FindClass(kVirtualThread);
  env->ExceptionClear();
  return type;
}

}  // namespace

bool has_virtual_threads(JNIEnv* env) {
  return LocalRef(env, virtual_thread(env)).get() != nullptr;
}

void define_wait_hook_class(JNIEnv* env) {
  if (g_hooks != nullptr) return;
  jclass hooks = define_boot_class(env, {kWaitHookClass,
                                         java::waits_class(),
                                         {{const_cast<char*>("waited"), const_cast<char*>("(JILjava/lang/Thread;I)V"),
                                           reinterpret_cast<void*>(&on_waited)}},
                                         "begin",
                                         "()J"});
  g_since = env->GetStaticFieldID(hooks, "since", "J");
  g_unhooked = env->GetStaticFieldID(hooks, "unhooked", "J");
  g_times = env->GetStaticFieldID(hooks, "times", "[J");
  g_counts = env->GetStaticFieldID(hooks, "counts", "[D");
  g_ignore = env->GetStaticMethodID(hooks, "ignore", "()V");
  g_hooks = hooks;
}

void observe_waits(WaitObserver observer) {
  g_observer.store(observer, std::memory_order_release);
}

void follow_waits(JNIEnv* env, int session, int64_t interval, int after_lock) {
  LocalRef type(env, virtual_thread(env));
  jmethodID follow = env->GetStaticMethodID(g_hooks, "follow", "(IJLjava/lang/Class;I)V");
  if (follow != nullptr)
    env->CallStaticVoidMethod(g_hooks, follow, jint{session}, jlong{interval}, type.get(), jint{after_lock});
  bool is_done = env->ExceptionCheck() == JNI_FALSE;
  env->ExceptionClear();
  if (!is_done) throw Error("the JVM has no memory to follow waits");
}

void ignore_waits(JNIEnv* env) {
  env->CallStaticVoidMethod(g_hooks, g_ignore);
  env->ExceptionClear();
}

void report_waits_since(JNIEnv* env, int64_t since_ns) {
  env->SetStaticLongField(g_hooks, g_since, since_ns);
}

void expect_no_more_hooks(JNIEnv* env) {
  env->SetStaticLongField(g_hooks, g_unhooked, static_cast<jlong>(capture::now_ns()));
}

bool list_waiting_threads(JNIEnv* env) {
  jmethodID list = env->GetStaticMethodID(g_hooks, "list", "()V");
  if (list != nullptr) env->CallStaticVoidMethod(g_hooks, list);
  bool is_done = env->ExceptionCheck() == JNI_FALSE;
  env->ExceptionClear();
  return is_done;
}

StillWaiting still_waiting(JNIEnv* env, int most) {
  constexpr int kMoreReferences = 128;  // for what the caller asks of the threads
  StillWaiting still;
  jmethodID method = env->GetStaticMethodID(g_hooks, "still", "(I)[Ljava/lang/Thread;");
  LocalRef found(env, method == nullptr ? nullptr : env->CallStaticObjectMethod(g_hooks, method, jint{most}));
  bool is_found = env->ExceptionCheck() == JNI_FALSE && found.get() != nullptr;
  env->ExceptionClear();
  if (!is_found || env->EnsureLocalCapacity(most + kMoreReferences) != JNI_OK) {
    env->ExceptionClear();
    return still;
  }
  LocalRef times(env, env->GetStaticObjectField(g_hooks, g_times));
  LocalRef counts(env, env->GetStaticObjectField(g_hooks, g_counts));
  auto threads = static_cast<jobjectArray>(found.get());
  jsize length = env->GetArrayLength(threads);
  still.times_ns.resize(static_cast<size_t>(length));
  still.counts.resize(static_cast<size_t>(length));
  env->GetLongArrayRegion(static_cast<jlongArray>(times.get()), 0, length, still.times_ns.data());
  env->GetDoubleArrayRegion(static_cast<jdoubleArray>(counts.get()), 0, length, still.counts.data());
  for (jsize i = 0; i < length; i++) still.threads.push_back(env->GetObjectArrayElement(threads, i));
  return still;
}

}  // namespace hearth::events
