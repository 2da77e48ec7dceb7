#include "session/java_labels.h"

#include <string_view>

namespace hearth::session {
namespace {

// Null: it is none of them.
const NativeClass* native_class(jvmtiEnv* jvmti, jclass loaded, const NativeClasses& classes) {
  char* signature = nullptr;
  if (jvmti->GetClassSignature(loaded, &signature, nullptr) != JVMTI_ERROR_NONE) return nullptr;
  JvmtiMemory owned(jvmti, signature);
  for (const NativeClass& one : classes)
    if (std::string_view(signature) == one.signature) return &one;
  return nullptr;
}

}  // namespace

void tell_java_labels(jvmtiEnv* jvmti, JNIEnv* env, const LoadedClasses& loaded, const NativeClasses& classes,
                      int64_t slow_ns) {
  for (jclass one : loaded) {
    const NativeClass* known = native_class(jvmti, one, classes);
    if (known == nullptr) continue;
    // Waits for its initializer, which may look for the agent just now.
    jfieldID has_agent = env->GetStaticFieldID(one, "hasAgent", "Z");
    bool is_told = has_agent != nullptr &&
                   env->RegisterNatives(one, known->methods.data(), static_cast<jint>(known->methods.size())) == JNI_OK;
    if (is_told) env->SetStaticBooleanField(one, has_agent, JNI_TRUE);
    jfieldID slow = is_told ? env->GetStaticFieldID(one, "slowNs", "J") : nullptr;
    if (slow != nullptr) env->SetStaticLongField(one, slow, slow_ns);
    // One of the classes does not know what is slow; or it is another version's of that name.
    if (env->ExceptionCheck() != JNI_FALSE) env->ExceptionClear();
    // The other knows what keeps it from seeing spans, and calls the agent.
    jmethodID tell = is_told ? env->GetStaticMethodID(one, "tellTrouble", "()V") : nullptr;
    if (tell != nullptr) env->CallStaticVoidMethod(one, tell);
    if (env->ExceptionCheck() != JNI_FALSE) env->ExceptionClear();
  }
}

}  // namespace hearth::session
