#include "commands/java/java_labels.h"

#include <string_view>
#include <vector>

namespace hearth::commands {
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

void clear_exception(JNIEnv* env) {
  if (env->ExceptionCheck() != JNI_FALSE) env->ExceptionClear();
}

}  // namespace

void connect_java_labels(jvmtiEnv* jvmti, JNIEnv* env, const LoadedClasses& loaded, const NativeClasses& classes,
                         int64_t slow_ns, bool publishes) {
  // All of them first: one asks another whether there is an agent, and calls it then.
  std::vector<jclass> registered;
  for (jclass one : loaded) {
    const NativeClass* known = native_class(jvmti, one, classes);
    if (known == nullptr) continue;
    // Waits for its initializer, which may look for the agent just now.
    bool is_ready = env->GetStaticFieldID(one, "hasAgent", "Z") != nullptr;
    if (is_ready &&
        env->RegisterNatives(one, known->methods.data(), static_cast<jint>(known->methods.size())) == JNI_OK)
      registered.push_back(one);
    clear_exception(env);  // it is another version's of that name
  }
  for (jclass one : registered) {
    env->SetStaticBooleanField(one, env->GetStaticFieldID(one, "hasAgent", "Z"), JNI_TRUE);
    // One class has the limit for slow labels; the other reports to the agent why it sees no spans.
    jfieldID slow = env->GetStaticFieldID(one, "slowNs", "J");
    if (slow != nullptr) env->SetStaticLongField(one, slow, slow_ns);
    clear_exception(env);
    jfieldID published = env->GetStaticFieldID(one, "publishes", "Z");
    if (published != nullptr) env->SetStaticBooleanField(one, published, publishes ? JNI_TRUE : JNI_FALSE);
    clear_exception(env);
    jmethodID report = env->GetStaticMethodID(one, "reportTrouble", "()V");
    if (report != nullptr) env->CallStaticVoidMethod(one, report);
    clear_exception(env);
  }
}

}  // namespace hearth::commands
