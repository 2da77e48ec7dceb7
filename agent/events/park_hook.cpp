#include "events/park_hook.h"

#include <atomic>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/jvm_refs.h"
#include "binder_class.h"
#include "capture/recorder.h"

namespace hearth::events {
namespace {

using Park = void(JNICALL*)(JNIEnv* env, jobject unsafe, jboolean is_absolute, jlong time);

constexpr const char* kParkSignature = "(ZJ)V";

std::atomic<ParkObserver> g_observer{nullptr};
Park g_park = nullptr;  // the JVM's own; written before ours is bound

// Calls come on one thread while that is inside hook_parks().
jclass g_unsafe = nullptr;  // global: what is called back into has local references of its own
jint(JNICALL* g_register)(JNIEnv* env, jclass type, const JNINativeMethod* methods, jint count) = nullptr;
jint g_bound = JNI_ERR;
thread_local bool t_listens = false;

void JNICALL park(JNIEnv* env, jobject unsafe, jboolean is_absolute, jlong time) {
  ParkObserver observer = g_observer.load(std::memory_order_acquire);
  if (observer == nullptr) return g_park(env, unsafe, is_absolute, time);
  uint64_t began = capture::now_ns();
  g_park(env, unsafe, is_absolute, time);
  observer(env, began);
}

// In place of RegisterNatives while Unsafe says which its methods are: they are looked at, not bound.
jint JNICALL listen_to_registration(JNIEnv* env, jclass type, const JNINativeMethod* methods, jint count) {
  if (!t_listens || env->IsSameObject(type, g_unsafe) == JNI_FALSE) return g_register(env, type, methods, count);
  for (const JNINativeMethod* method = methods; method != methods + count; method++) {
    if (std::strcmp(method->name, "park") == 0 && std::strcmp(method->signature, kParkSignature) == 0)
      g_park = reinterpret_cast<Park>(method->fnPtr);
  }
  return JNI_OK;
}

void JNICALL bind_park(JNIEnv* env, jclass) {
  JNINativeMethod ours = {const_cast<char*>("park"), const_cast<char*>(kParkSignature), reinterpret_cast<void*>(&park)};
  g_bound = env->RegisterNatives(g_unsafe, &ours, 1);
}

// java.util.concurrent calls the first one that there is.
jclass find_unsafe(JNIEnv* env) {
  for (const char* name : {"jdk/internal/misc/Unsafe", "sun/misc/Unsafe"}) {
    if (jclass found = env->FindClass(name)) return found;
    env->ExceptionClear();
  }
  return nullptr;
}

// Unsafe registers its natives once more, and is overheard.
void find_park(JNIEnv* env, jvmtiEnv* jvmti) {
  jmethodID registers = env->GetStaticMethodID(g_unsafe, "registerNatives", "()V");
  jniNativeInterface* table = nullptr;
  if (registers == nullptr || jvmti->GetJNIFunctionTable(&table) != JVMTI_ERROR_NONE) return env->ExceptionClear();
  JvmtiMemory owned(jvmti, table);
  g_register = table->RegisterNatives;
  table->RegisterNatives = listen_to_registration;
  t_listens = true;
  if (jvmti->SetJNIFunctionTable(table) == JVMTI_ERROR_NONE) env->CallStaticVoidMethod(g_unsafe, registers);
  table->RegisterNatives = g_register;
  jvmti->SetJNIFunctionTable(table);
  t_listens = false;
  env->ExceptionClear();
}

void bind_ours(JNIEnv* env) {
  LocalRef binder(env,
                  env->DefineClass("hearth/boot/Binder", nullptr, java::binder_class(), java::binder_class_size()));
  auto type = static_cast<jclass>(binder.get());
  JNINativeMethod bind = {const_cast<char*>("bind0"), const_cast<char*>("()V"), reinterpret_cast<void*>(&bind_park)};
  if (type != nullptr && env->RegisterNatives(type, &bind, 1) == JNI_OK) {
    if (jmethodID caller = env->GetStaticMethodID(type, "bind", "()V")) env->CallStaticVoidMethod(type, caller);
  }
  env->ExceptionClear();
}

}  // namespace

void hook_parks(JavaVM* java_vm, jvmtiEnv* jvmti) {
  if (g_bound == JNI_OK) return;
  JvmAttachment attachment(java_vm, "hearth");
  JNIEnv* env = attachment.env();
  if (env == nullptr) throw Error("this JVM takes no more threads");
  LocalRef unsafe(env, find_unsafe(env));
  if (g_unsafe == nullptr) g_unsafe = static_cast<jclass>(env->NewGlobalRef(unsafe.get()));
  if (g_unsafe != nullptr && g_park == nullptr) find_park(env, jvmti);
  if (g_unsafe != nullptr && g_park != nullptr) bind_ours(env);
  if (g_bound != JNI_OK) throw Error("this JVM does not let Unsafe.park be observed");
}

void observe_parks(ParkObserver observer) {
  g_observer.store(observer, std::memory_order_release);
}

}  // namespace hearth::events
