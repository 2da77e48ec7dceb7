#include "session/java_labels.h"

#include <string_view>

namespace hearth::session {
namespace {

bool is_labels_class(jvmtiEnv* jvmti, jclass loaded) {
  char* signature = nullptr;
  if (jvmti->GetClassSignature(loaded, &signature, nullptr) != JVMTI_ERROR_NONE) return false;
  JvmtiMemory owned(jvmti, signature);
  return std::string_view(signature) == "Lhearth/ThreadLabels;";
}

}  // namespace

void tell_java_labels(jvmtiEnv* jvmti, JNIEnv* env, const LoadedClasses& classes, const NativeMethods& methods,
                      int64_t slow_ns) {
  for (jclass loaded : classes) {
    if (!is_labels_class(jvmti, loaded)) continue;
    // Waits for its initializer, which may look for the agent just now.
    jfieldID has_agent = env->GetStaticFieldID(loaded, "hasAgent", "Z");
    bool is_told = has_agent != nullptr &&
                   env->RegisterNatives(loaded, methods.data(), static_cast<jint>(methods.size())) == JNI_OK;
    if (is_told) env->SetStaticBooleanField(loaded, has_agent, JNI_TRUE);
    jfieldID slow = is_told ? env->GetStaticFieldID(loaded, "slowNs", "J") : nullptr;
    if (slow != nullptr) env->SetStaticLongField(loaded, slow, slow_ns);
    if (env->ExceptionCheck() != JNI_FALSE) env->ExceptionClear();  // another version's class of that name
  }
}

}  // namespace hearth::session
