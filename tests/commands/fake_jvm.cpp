#include "commands/fake_jvm.h"

#include <jvmti.h>

#include <cstdint>
#include <cstring>

extern "C" __attribute__((visibility("default"))) void AsyncGetCallTrace(void*, jint, void*) {}

namespace hearth::commands {
namespace {

jint refuse() {
  return JVMTI_ERROR_NOT_AVAILABLE;
}
uintptr_t find_nothing() {
  return 0;
}

// A table of functions that are all the same one.
template <typename Table, typename Function>
Table table_of(Function* function) {
  Table table;
  static_assert(sizeof table % sizeof function == 0);
  auto* entries = reinterpret_cast<char*>(&table);
  for (size_t at = 0; at < sizeof table; at += sizeof function)
    std::memcpy(entries + at, static_cast<void*>(&function), sizeof function);
  return table;
}

jint JNICALL get_env(JavaVM*, void** env, jint version);
jint JNICALL attach(JavaVM*, void** env, void*) {
  *env = fake_jni();
  return JNI_OK;
}
jint JNICALL detach(JavaVM*) {
  return JNI_OK;
}

JNIInvokeInterface_ g_vm_functions = {nullptr, nullptr, nullptr, detach, attach, detach, get_env, attach};
JavaVM g_vm = {&g_vm_functions};

jint JNICALL get_env(JavaVM*, void** env, jint version) {
  static const auto kFunctions = table_of<jvmtiInterface_1_>(refuse);
  static jvmtiEnv jvmti = {&kFunctions};
  bool is_jvmti = (version & JVMTI_VERSION_MASK_INTERFACE_TYPE) == JVMTI_VERSION_INTERFACE_JVMTI;
  *env = is_jvmti ? static_cast<void*>(&jvmti) : fake_jni();
  return JNI_OK;
}

}  // namespace

JavaVM* fake_java_vm() {
  return &g_vm;
}

JNIEnv* fake_jni() {
  static const auto kFunctions = table_of<JNINativeInterface_>(find_nothing);
  static JNIEnv env = {&kFunctions};
  return &env;
}

}  // namespace hearth::commands
