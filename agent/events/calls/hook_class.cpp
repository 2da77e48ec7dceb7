#include "events/calls/hook_class.h"

#include <atomic>

#include "base/jvm_refs.h"
#include "boot_classes.h"
#include "bytecode/class_rewriter.h"
#include "events/boot_class.h"

namespace hearth::events {
namespace {

static_assert((kSessionsOfHooks << kTargetBits) - 1 == bytecode::kMostNumber);

// Of one kind of hooks.
struct Observed {
  std::atomic<CallObserver> observer{nullptr};
  std::atomic<int> session{-1};
};
Observed g_observed[kCallHooks];
jclass g_hooks = nullptr;  // global
thread_local bool t_loads_hooks = false;

void observe(CallHook kind, jint hook, jlong took) {
  const Observed& one = g_observed[static_cast<size_t>(kind)];
  if (hook >> kTargetBits != one.session.load(std::memory_order_acquire)) return;
  if (CallObserver observer = one.observer.load(std::memory_order_acquire))
    observer({hook & ((1 << kTargetBits) - 1), took});
}
void JNICALL on_entered(JNIEnv*, jclass, jint hook) {
  observe(CallHook::kEnter, hook, 0);
}
void JNICALL on_left(JNIEnv*, jclass, jlong took, jint hook) {
  observe(CallHook::kLeave, hook, took);
}

}  // namespace

void define_hook_class(JNIEnv* env) {
  if (g_hooks != nullptr) return;
  g_hooks = define_boot_class(
      env, {kHookClass,
            java::calls_class(),
            {{const_cast<char*>("entered"), const_cast<char*>("(I)V"), reinterpret_cast<void*>(&on_entered)},
             {const_cast<char*>("left"), const_cast<char*>("(JI)V"), reinterpret_cast<void*>(&on_left)}},
            "begin",
            "()J"});
}

bool finds_hook_class(JNIEnv* env, jobject loader) {
  if (loader == nullptr) return true;
  if (t_loads_hooks) return false;
  t_loads_hooks = true;
  LocalRef type(env, env->FindClass("java/lang/Class"));
  LocalRef name(env, env->NewStringUTF("java.lang.HearthCalls"));
  jmethodID for_name = type.get() == nullptr
                           ? nullptr
                           : env->GetStaticMethodID(static_cast<jclass>(type.get()), "forName",
                                                    "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
  LocalRef found(
      env, for_name == nullptr || name.get() == nullptr
               ? nullptr
               : env->CallStaticObjectMethod(static_cast<jclass>(type.get()), for_name, name.get(), JNI_FALSE, loader));
  env->ExceptionClear();
  t_loads_hooks = false;
  return found.get() != nullptr && env->IsSameObject(found.get(), g_hooks) == JNI_TRUE;
}

void observe_calls(CallHook kind, int session, CallObserver observer) {
  Observed& one = g_observed[static_cast<size_t>(kind)];
  one.observer.store(observer, std::memory_order_release);
  one.session.store(session, std::memory_order_release);
}

bool count_calls(JNIEnv* env, int session, const std::vector<int64_t>& shortest) {
  jmethodID prepare = env->GetStaticMethodID(g_hooks, "prepare", "(IJ)V");
  jmethodID follow = env->GetStaticMethodID(g_hooks, "follow", "(I)V");
  if (prepare != nullptr && follow != nullptr) {
    env->CallStaticVoidMethod(g_hooks, follow, jint{-1});
    for (size_t i = 0; i < shortest.size() && env->ExceptionCheck() == JNI_FALSE; i++)
      env->CallStaticVoidMethod(g_hooks, prepare, static_cast<jint>(i), jlong{shortest[i]});
    if (env->ExceptionCheck() == JNI_FALSE) env->CallStaticVoidMethod(g_hooks, follow, jint{session});
  }
  bool is_done = env->ExceptionCheck() == JNI_FALSE;
  env->ExceptionClear();
  return is_done;
}

std::optional<CallCells> counted_calls(JNIEnv* env, size_t target) {
  CallCells cells{};
  jmethodID calls = env->GetStaticMethodID(g_hooks, "calls", "(I)[J");
  LocalRef array(env,
                 calls == nullptr ? nullptr : env->CallStaticObjectMethod(g_hooks, calls, static_cast<jint>(target)));
  if (env->ExceptionCheck() == JNI_TRUE || array.get() == nullptr) {
    env->ExceptionClear();
    return std::nullopt;
  }
  static_assert(sizeof(jlong) == sizeof cells[0]);
  env->GetLongArrayRegion(static_cast<jlongArray>(array.get()), 0, static_cast<jsize>(cells.size()),
                          reinterpret_cast<jlong*>(cells.data()));
  return cells;
}

}  // namespace hearth::events
