#include "events/boot_class.h"

#include "base/error.h"
#include "base/jvm_refs.h"
#include "events/jdk_binder.h"

namespace hearth::events {
namespace {

// The class whose natives are bound, for bind_natives().
struct Binding {
  const BootClass* wanted;
  jclass defined;  // global: callbacks have local references of their own
  bool is_bound;
};
Binding g_binding = {};

void bind_natives(JNIEnv* env) {
  const BootClass& wanted = *g_binding.wanted;
  if (env->RegisterNatives(g_binding.defined, wanted.natives.data(), static_cast<jint>(wanted.natives.size())) !=
      JNI_OK)
    return;
  g_binding.is_bound = env->GetStaticMethodID(g_binding.defined, wanted.method, wanted.signature) != nullptr;
}

jclass define(JNIEnv* env, const BootClass& wanted) {
  LocalRef made(env, env->DefineClass(wanted.name, nullptr, wanted.file.bytes, wanted.file.size));
  env->ExceptionClear();
  if (made.get() == nullptr) made.reset(env->FindClass(wanted.name));  // an earlier try did not bind its natives
  env->ExceptionClear();
  return static_cast<jclass>(env->NewGlobalRef(made.get()));
}

}  // namespace

jclass define_boot_class(JNIEnv* env, const BootClass& wanted) {
  g_binding = {&wanted, define(env, wanted), false};
  if (g_binding.defined != nullptr) run_as_jdk(env, bind_natives);
  if (g_binding.is_bound) return g_binding.defined;
  env->DeleteGlobalRef(g_binding.defined);
  throw Error("this JVM does not let hooks be defined in java.lang");
}

}  // namespace hearth::events
