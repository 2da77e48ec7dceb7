#include "events/class_file_hook.h"

#include <cstring>

#include "base/error.h"
#include "base/formatted.h"

namespace hearth::events {

JvmtiEnvironment hook_class_files(JavaVM* java_vm, jvmtiEventClassFileLoadHook callback) {
  JvmtiEnvironment jvmti = JvmtiEnvironment::opened(java_vm);
  jvmtiCapabilities wanted{};
  wanted.can_retransform_classes = 1;
  jvmtiError error = jvmti->AddCapabilities(&wanted);
  jvmtiEventCallbacks callbacks{};
  callbacks.ClassFileLoadHook = callback;
  if (error == JVMTI_ERROR_NONE) error = jvmti->SetEventCallbacks(&callbacks, sizeof callbacks);
  if (error == JVMTI_ERROR_NONE)
    error = jvmti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, nullptr);
  if (error != JVMTI_ERROR_NONE)
    throw Error(formatted("this JVM does not let classes be changed (JVMTI error {})", int{error}));
  return jvmti;
}

bool give_class_file(jvmtiEnv* jvmti, const std::vector<uint8_t>& bytes, jint* new_size, unsigned char** new_bytes) {
  if (jvmti->Allocate(static_cast<jlong>(bytes.size()), new_bytes) != JVMTI_ERROR_NONE) return false;
  std::memcpy(*new_bytes, bytes.data(), bytes.size());
  *new_size = static_cast<jint>(bytes.size());
  return true;
}

}  // namespace hearth::events
