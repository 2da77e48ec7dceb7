#include "events/lock/park_hook.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "base/jvm_refs.h"
#include "capture/recorder.h"
#include "events/jdk_binder.h"

namespace hearth::events {
namespace {

using Park = void(JNICALL*)(JNIEnv* env, jobject unsafe, jboolean is_absolute, jlong time);
using Unpark = void(JNICALL*)(JNIEnv* env, jobject unsafe, jobject thread);

constexpr const char* kParkSignature = "(ZJ)V";
constexpr const char* kUnparkSignature = "(Ljava/lang/Object;)V";
constexpr auto kUsers = static_cast<size_t>(ParkUser::kCount);
constexpr std::pair<const char*, const char*> kUnsafes[] = {{"jdk/internal/misc/Unsafe", "Ljdk/internal/misc/Unsafe;"},
                                                            {"sun/misc/Unsafe", "Lsun/misc/Unsafe;"}};

std::atomic<const ParkObserver*> g_observers[kUsers];
// The JVM's own; written before ours are bound.
Park g_park = nullptr;
Unpark g_unpark = nullptr;

// Used by one thread at a time, inside hook_parks().
const char* g_unsafe_signature = "";
jclass g_unsafe = nullptr;  // global: callbacks have local references of their own
jint(JNICALL* g_register)(JNIEnv* env, jclass type, const JNINativeMethod* methods, jint count) = nullptr;
jint g_bound = JNI_ERR;
thread_local bool t_listens = false;
thread_local uint16_t t_parks = 0, t_unparks = 0;

bool is_observed() {
  return std::any_of(std::begin(g_observers), std::end(g_observers),
                     [](const auto& one) { return one.load(std::memory_order_relaxed) != nullptr; });
}

void JNICALL park(JNIEnv* env, jobject unsafe, jboolean is_absolute, jlong time) {
  t_parks++;
  if (!is_observed()) return g_park(env, unsafe, is_absolute, time);
  const ParkObserver* observers[kUsers];
  void* begun[kUsers] = {};
  uint64_t began = capture::now_ns();
  for (size_t i = 0; i < kUsers; i++) {
    observers[i] = g_observers[i].load(std::memory_order_acquire);
    if (observers[i] != nullptr && observers[i]->begins != nullptr) begun[i] = observers[i]->begins(env, began);
  }
  g_park(env, unsafe, is_absolute, time);
  // Backwards: the last user's end is brief, and another thread may still wake this one until then.
  for (size_t i = kUsers; i-- > 0;)
    if (observers[i] != nullptr && observers[i]->ends != nullptr) observers[i]->ends(env, began, begun[i]);
}

void JNICALL unpark(JNIEnv* env, jobject unsafe, jobject thread) {
  t_unparks++;
  for (auto& one : g_observers) {
    const ParkObserver* observer = one.load(std::memory_order_acquire);
    if (observer != nullptr && observer->wakes != nullptr && thread != nullptr) observer->wakes(env, thread);
  }
  g_unpark(env, unsafe, thread);
}

// Replaces RegisterNatives while Unsafe registers its methods: records them without binding.
jint JNICALL listen_to_registration(JNIEnv* env, jclass type, const JNINativeMethod* methods, jint count) {
  if (!t_listens || env->IsSameObject(type, g_unsafe) == JNI_FALSE) return g_register(env, type, methods, count);
  for (const JNINativeMethod* method = methods; method != methods + count; method++) {
    if (std::strcmp(method->name, "park") == 0 && std::strcmp(method->signature, kParkSignature) == 0)
      g_park = reinterpret_cast<Park>(method->fnPtr);
    if (std::strcmp(method->name, "unpark") == 0 && std::strcmp(method->signature, kUnparkSignature) == 0)
      g_unpark = reinterpret_cast<Unpark>(method->fnPtr);
  }
  return JNI_OK;
}

void bind_park(JNIEnv* env) {
  JNINativeMethod ours[] = {
      {const_cast<char*>("park"), const_cast<char*>(kParkSignature), reinterpret_cast<void*>(&park)},
      {const_cast<char*>("unpark"), const_cast<char*>(kUnparkSignature), reinterpret_cast<void*>(&unpark)}};
  g_bound = env->RegisterNatives(g_unsafe, ours, std::size(ours));
}

// Finds the class that java.util.concurrent calls: the first that exists.
void find_unsafe(JNIEnv* env) {
  for (const auto& [name, signature] : kUnsafes) {
    LocalRef found(env, env->FindClass(name));
    env->ExceptionClear();
    if (found.get() == nullptr) continue;
    g_unsafe = static_cast<jclass>(env->NewGlobalRef(found.get()));
    g_unsafe_signature = signature;
    return;
  }
}

// Another agent may have changed the table meanwhile.
void stop_listening(jvmtiEnv* jvmti) {
  jniNativeInterface* table = nullptr;
  if (jvmti->GetJNIFunctionTable(&table) != JVMTI_ERROR_NONE) return;
  JvmtiMemory owned(jvmti, table);
  if (table->RegisterNatives != listen_to_registration) return;
  table->RegisterNatives = g_register;
  jvmti->SetJNIFunctionTable(table);
}

// Makes Unsafe register its natives again, and records them.
void find_park(JNIEnv* env, jvmtiEnv* jvmti) {
  jmethodID registers = env->GetStaticMethodID(g_unsafe, "registerNatives", "()V");
  jniNativeInterface* table = nullptr;
  if (registers == nullptr || jvmti->GetJNIFunctionTable(&table) != JVMTI_ERROR_NONE) return env->ExceptionClear();
  JvmtiMemory owned(jvmti, table);
  g_register = table->RegisterNatives;
  table->RegisterNatives = listen_to_registration;
  t_listens = true;
  if (jvmti->SetJNIFunctionTable(table) == JVMTI_ERROR_NONE) env->CallStaticVoidMethod(g_unsafe, registers);
  stop_listening(jvmti);
  t_listens = false;
  env->ExceptionClear();
}

// True if a park and an unpark call our methods: another agent may have bound its own. A park until a time long past
// returns at once, and unpark of no thread does nothing.
bool are_ours(JNIEnv* env) {
  uint16_t parked = t_parks, unparked = t_unparks;
  jfieldID field = env->GetStaticFieldID(g_unsafe, "theUnsafe", g_unsafe_signature);
  jmethodID parks = env->GetMethodID(g_unsafe, "park", kParkSignature);
  jmethodID unparks = env->GetMethodID(g_unsafe, "unpark", kUnparkSignature);
  if (field != nullptr && parks != nullptr && unparks != nullptr) {
    LocalRef unsafe(env, env->GetStaticObjectField(g_unsafe, field));
    env->CallVoidMethod(unsafe.get(), unparks, nullptr);
    env->CallVoidMethod(unsafe.get(), parks, JNI_TRUE, jlong{1});
  }
  env->ExceptionClear();
  return t_parks != parked && t_unparks != unparked;
}

}  // namespace

void hook_parks(JavaVM* java_vm, jvmtiEnv* jvmti) {
  JvmAttachment attachment(java_vm, "hearth");
  JNIEnv* env = attachment.env();
  if (env == nullptr) throw Error("this JVM accepts no more threads");
  if (g_unsafe == nullptr) find_unsafe(env);
  if (g_bound == JNI_OK && are_ours(env)) return;
  if (g_unsafe != nullptr && (g_park == nullptr || g_unpark == nullptr)) find_park(env, jvmti);
  if (g_unsafe != nullptr && g_park != nullptr && g_unpark != nullptr) run_as_jdk(env, bind_park);
  if (g_bound != JNI_OK) throw Error("this JVM does not allow Unsafe.park to be observed");
}

jfieldID find_park_blocker(JNIEnv* env) {
  LocalRef thread(env, env->FindClass("java/lang/Thread"));
  jfieldID field = nullptr;
  if (thread.get() != nullptr)
    field = env->GetFieldID(static_cast<jclass>(thread.get()), "parkBlocker", "Ljava/lang/Object;");
  env->ExceptionClear();
  return field;
}

uint32_t number_of_blocker(ClassNumbers* classes, jvmtiEnv* jvmti, JNIEnv* env, jobject thread, jfieldID park_blocker) {
  LocalRef blocker(env, env->GetObjectField(thread, park_blocker));
  if (blocker.get() == nullptr) return capture::NameTable::kNone;
  LocalRef type(env, env->GetObjectClass(blocker.get()));
  return classes->number_of(jvmti, env, blocker.get(), static_cast<jclass>(type.get()));
}

void observe_parks(ParkUser user, const ParkObserver* observer) {
  g_observers[static_cast<size_t>(user)].store(observer, std::memory_order_release);
}

}  // namespace hearth::events
