#include "events/vm/deadlocks.h"

#include "base/jvm_refs.h"

namespace hearth::events {
namespace {

// Returns null if any step fails; an exception may be pending then.
jobject call_static(JNIEnv* env, const char* type, const char* name, const char* signature) {
  LocalRef owner(env, env->FindClass(type));
  if (owner.get() == nullptr) return nullptr;
  auto* of = static_cast<jclass>(owner.get());
  jmethodID method = env->GetStaticMethodID(of, name, signature);
  jobject result = method == nullptr ? nullptr : env->CallStaticObjectMethod(of, method);
  return env->ExceptionCheck() == JNI_FALSE ? result : nullptr;
}

jobject call(JNIEnv* env, jobject on, const char* type, const char* name, const char* signature) {
  LocalRef owner(env, env->FindClass(type));
  if (owner.get() == nullptr) return nullptr;
  jmethodID method = env->GetMethodID(static_cast<jclass>(owner.get()), name, signature);
  jobject result = method == nullptr ? nullptr : env->CallObjectMethod(on, method);
  return env->ExceptionCheck() == JNI_FALSE ? result : nullptr;
}

}  // namespace

std::optional<size_t> deadlocked_threads(JNIEnv* env) {
  std::optional<size_t> count;
  LocalRef bean(env, call_static(env, "java/lang/management/ManagementFactory", "getThreadMXBean",
                                 "()Ljava/lang/management/ThreadMXBean;"));
  if (bean.get() != nullptr) {
    LocalRef ids(env, call(env, bean.get(), "java/lang/management/ThreadMXBean", "findDeadlockedThreads", "()[J"));
    if (env->ExceptionCheck() == JNI_FALSE)
      count = ids.get() == nullptr ? 0 : static_cast<size_t>(env->GetArrayLength(static_cast<jarray>(ids.get())));
  }
  if (env->ExceptionCheck() != JNI_FALSE) env->ExceptionClear();
  return count;
}

}  // namespace hearth::events
