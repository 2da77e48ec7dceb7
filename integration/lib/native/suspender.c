// A debugger's operations on threads, for workloads: the natives of class Suspender.
#include <jvmti.h>

static jvmtiEnv* jvmti;
static jniNativeInterface* original;
// How many weak references this thread makes until it suspends itself in the midst of one; 0: never.
static __thread jint left;

static jweak JNICALL make_weak_reference(JNIEnv* jni, jobject object) {
  if (left > 0 && --left == 0) (*jvmti)->SuspendThread(jvmti, NULL);
  return original->NewWeakGlobalRef(jni, object);
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void* reserved) {
  (void)reserved;
  jvmtiCapabilities wanted = {.can_suspend = 1};
  if ((*vm)->GetEnv(vm, (void**)&jvmti, JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
  return (*jvmti)->AddCapabilities(jvmti, &wanted) == JVMTI_ERROR_NONE ? JNI_VERSION_1_8 : JNI_ERR;
}

JNIEXPORT jint JNICALL Java_Suspender_suspend(JNIEnv* jni, jclass self, jthread thread) {
  (void)jni, (void)self;
  return (jint)(*jvmti)->SuspendThread(jvmti, thread);
}

JNIEXPORT jint JNICALL Java_Suspender_resume(JNIEnv* jni, jclass self, jthread thread) {
  (void)jni, (void)self;
  return (jint)(*jvmti)->ResumeThread(jvmti, thread);
}

JNIEXPORT jboolean JNICALL Java_Suspender_isSuspended(JNIEnv* jni, jclass self, jthread thread) {
  (void)jni, (void)self;
  jint state = 0;
  (*jvmti)->GetThreadState(jvmti, thread, &state);
  return (state & JVMTI_THREAD_STATE_SUSPENDED) != 0;
}

JNIEXPORT jint JNICALL Java_Suspender_suspendAtReference(JNIEnv* jni, jclass self, jint count) {
  (void)jni, (void)self;
  jniNativeInterface* table = NULL;
  if (original == NULL) {
    jvmtiError error = (*jvmti)->GetJNIFunctionTable(jvmti, &original);
    if (error == JVMTI_ERROR_NONE) error = (*jvmti)->GetJNIFunctionTable(jvmti, &table);
    if (error != JVMTI_ERROR_NONE) return (jint)error;
    table->NewWeakGlobalRef = make_weak_reference;
    error = (*jvmti)->SetJNIFunctionTable(jvmti, table);
    if (error != JVMTI_ERROR_NONE) return (jint)error;
  }
  left = count;
  return JVMTI_ERROR_NONE;
}
