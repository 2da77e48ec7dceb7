#include "events/jdk_binder.h"

#include "base/jvm_refs.h"
#include "boot_classes.h"

namespace hearth::events {
namespace {

jclass g_binder = nullptr;  // global
void (*g_work)(JNIEnv* env) = nullptr;

void JNICALL call_work(JNIEnv* env, jclass) {
  g_work(env);
}

void make_binder(JNIEnv* env) {
  java::ClassFile file = java::binder_class();
  LocalRef binder(env, env->DefineClass("hearth/boot/Binder", nullptr, file.bytes, file.size));
  auto type = static_cast<jclass>(binder.get());
  JNINativeMethod bind = {const_cast<char*>("bind0"), const_cast<char*>("()V"), reinterpret_cast<void*>(&call_work)};
  if (type != nullptr && env->RegisterNatives(type, &bind, 1) == JNI_OK)
    g_binder = static_cast<jclass>(env->NewGlobalRef(type));
  env->ExceptionClear();
}

}  // namespace

void run_as_jdk(JNIEnv* env, void (*work)(JNIEnv* env)) {
  if (g_binder == nullptr) make_binder(env);
  if (g_binder == nullptr) return;
  g_work = work;
  if (jmethodID caller = env->GetStaticMethodID(g_binder, "bind", "()V")) env->CallStaticVoidMethod(g_binder, caller);
  env->ExceptionClear();
}

}  // namespace hearth::events
