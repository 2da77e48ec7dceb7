// A JVMTI agent as one writes it first: at each allocated object it asks the JVM for the stack. To be attached, with
// "start" or "stop".
#include <jvmti.h>
#include <string.h>

enum { kDepth = 2048 };

static jvmtiEnv* sampler;
static _Thread_local jvmtiFrameInfo frames[kDepth];
static _Thread_local jint depth;

static void JNICALL on_object(jvmtiEnv* jvmti, JNIEnv* jni, jthread thread, jobject object, jclass type, jlong size) {
  (void)jni, (void)object, (void)type, (void)size;
  (*jvmti)->GetStackTrace(jvmti, thread, 0, kDepth, frames, &depth);
}

static int start(JavaVM* vm) {
  if ((*vm)->GetEnv(vm, (void**)&sampler, JVMTI_VERSION_11) != JNI_OK) return 1;
  jvmtiCapabilities wanted = {.can_generate_sampled_object_alloc_events = 1};
  jvmtiEventCallbacks callbacks = {.SampledObjectAlloc = on_object};
  return (*sampler)->AddCapabilities(sampler, &wanted) != JVMTI_ERROR_NONE ||
         (*sampler)->SetEventCallbacks(sampler, &callbacks, sizeof callbacks) != JVMTI_ERROR_NONE ||
         (*sampler)->SetHeapSamplingInterval(sampler, 0) != JVMTI_ERROR_NONE ||
         (*sampler)->SetEventNotificationMode(sampler, JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL) !=
             JVMTI_ERROR_NONE;
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM* vm, char* options, void* reserved) {
  (void)reserved;
  if (strcmp(options, "start") == 0) return start(vm);
  return sampler == NULL || (*sampler)->DisposeEnvironment(sampler) != JVMTI_ERROR_NONE;
}
