// A libjvm.so with as much of a JVM as the agent asks for before it samples: the tables of JNI and JVMTI, one Java thread, and
// AsyncGetCallTrace, which finds no Java frames. For programs of a C library that no JVM here is built for.
#include <jvmti.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct JNINativeInterface_ jni_functions;
static struct JNIInvokeInterface_ vm_functions;
static struct jvmtiInterface_1_ jvmti_functions;
static const struct JNINativeInterface_* jni = &jni_functions;
static const struct JNIInvokeInterface_* vm = &vm_functions;
static jvmtiEnv jvmti = &jvmti_functions;
static jvmtiEventCallbacks callbacks;
static pthread_key_t java_thread_key;
static char java_thread[4096];  // as HotSpot's JavaThread
static char an_object[64];      // for every object, class and method

void AsyncGetCallTrace(jint* trace, jint depth, void* context) {
  (void)depth, (void)context;
  trace[2] = 0;  // {env, number of frames, …}
}

// Entries that the agent may call and that do nothing: no object, and an error of JVMTI.
static void* nothing(void) { return NULL; }
static jvmtiError unavailable(void) { return JVMTI_ERROR_NOT_AVAILABLE; }
static jvmtiError done(void) { return JVMTI_ERROR_NONE; }

static jint get_env(JavaVM* of, void** env, jint version) {
  (void)of;
  if ((version & 0x70000000) == 0x30000000) {  // JVMTI_VERSION_INTERFACE_JVMTI
    *env = &jvmti;
    return JNI_OK;
  }
  *env = pthread_getspecific(java_thread_key) != NULL ? &jni : NULL;
  return *env != NULL ? JNI_OK : JNI_EDETACHED;
}

static jint attach_thread(JavaVM* of, void** env, void* arguments) {
  (void)of, (void)arguments;
  pthread_setspecific(java_thread_key, java_thread);
  *env = &jni;
  return JNI_OK;
}

static jint detach_thread(JavaVM* of) {
  (void)of;
  pthread_setspecific(java_thread_key, NULL);
  return JNI_OK;
}

static jint get_java_vm(JNIEnv* env, JavaVM** to) {
  (void)env;
  *to = &vm;
  return JNI_OK;
}

static jclass find_class(JNIEnv* env, const char* name) {
  (void)env;
  return strcmp(name, "java/lang/Thread") == 0 ? (jclass)an_object : NULL;
}

static void* an_id(void) { return an_object; }
static jlong address_of_thread(void) { return (jlong)java_thread; }

static jvmtiError set_callbacks(jvmtiEnv* env, const jvmtiEventCallbacks* from, jint size) {
  (void)env;
  memcpy(&callbacks, from, (size_t)size < sizeof callbacks ? (size_t)size : sizeof callbacks);
  return JVMTI_ERROR_NONE;
}

static void fill(void* table, size_t size, void* entry) {
  for (size_t at = 0; at < size / sizeof entry; at++) ((void**)table)[at] = entry;
}

JavaVM* begin_false_hotspot(void) {
  pthread_key_create(&java_thread_key, NULL);
  pthread_setspecific(java_thread_key, java_thread);
  fill(&jni_functions, sizeof jni_functions, (void*)nothing);
  jni_functions.GetJavaVM = get_java_vm;
  jni_functions.FindClass = find_class;
  jni_functions.GetStaticMethodID = (void*)an_id;
  jni_functions.GetFieldID = (void*)an_id;
  jni_functions.CallStaticObjectMethodV = (void*)an_id;
  jni_functions.GetLongField = (void*)address_of_thread;
  vm_functions.GetEnv = get_env;
  vm_functions.AttachCurrentThread = attach_thread;
  vm_functions.AttachCurrentThreadAsDaemon = attach_thread;
  vm_functions.DetachCurrentThread = detach_thread;
  fill(&jvmti_functions, sizeof jvmti_functions, (void*)unavailable);
  jvmti_functions.SetEventCallbacks = set_callbacks;
  jvmti_functions.SetEventNotificationMode = (void*)done;
  jvmti_functions.AddCapabilities = (void*)done;
  jvmti_functions.GenerateEvents = (void*)done;
  jvmti_functions.DisposeEnvironment = (void*)done;
  return &vm;
}

void tell_vm_init(void) { callbacks.VMInit(&jvmti, &jni, (jthread)an_object); }
void tell_vm_death(void) { callbacks.VMDeath(&jvmti, &jni); }
