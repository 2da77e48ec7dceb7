// An agent with a thread that blocks all signals, as native libraries make them. To be attached: "begin" starts the
// thread, "allocate" has it enter the JVM, allocate and end.
#define _GNU_SOURCE
#include <jvmti.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>

enum { kArrays = 256, kArrayBytes = 256 << 10 };

static JavaVM* jvm;
static pthread_t thread;
static sem_t is_deaf, may_allocate;
static int failed;

static void* run(void* nothing) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  pthread_setname_np(pthread_self(), "deaf");
  sem_post(&is_deaf);
  sem_wait(&may_allocate);
  JNIEnv* jni;
  failed = (*jvm)->AttachCurrentThread(jvm, (void**)&jni, NULL) != JNI_OK;
  for (int i = 0; i < kArrays && !failed; i++) {
    jbyteArray array = (*jni)->NewByteArray(jni, kArrayBytes);
    failed = array == NULL;
    (*jni)->DeleteLocalRef(jni, array);
  }
  (*jvm)->DetachCurrentThread(jvm);
  return nothing;
}

static int begin(JavaVM* vm) {
  jvm = vm;
  sem_init(&is_deaf, 0, 0);
  sem_init(&may_allocate, 0, 0);
  if (pthread_create(&thread, NULL, run, NULL) != 0) return 1;
  return sem_wait(&is_deaf);
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM* vm, char* options, void* reserved) {
  (void)reserved;
  if (strcmp(options, "begin") == 0) return begin(vm);
  sem_post(&may_allocate);
  return pthread_join(thread, NULL) != 0 || failed;
}
