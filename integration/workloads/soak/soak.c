// The native half of Calls.java.
#include <jni.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXPORT(name) JNICALL Java_Calls_##name

static JavaVM* g_vm;
static jclass g_calls;
static jmethodID g_up;
static atomic_long g_alarms;

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void* reserved) {
  (void)reserved;
  JNIEnv* env;
  g_vm = vm;
  if ((*vm)->GetEnv(vm, (void**)&env, JNI_VERSION_1_8) != JNI_OK) return JNI_ERR;
  jclass calls = (*env)->FindClass(env, "Calls");
  if (calls == NULL) return JNI_ERR;
  g_calls = (*env)->NewGlobalRef(env, calls);
  g_up = (*env)->GetStaticMethodID(env, calls, "up", "(I)J");
  return g_up == NULL ? JNI_ERR : JNI_VERSION_1_8;
}

static void work(int count) {
  volatile long value = count;
  for (int i = 1; i < count; i++) value = value * 31 + value / i;
}

JNIEXPORT jlong EXPORT(down)(JNIEnv* env, jclass calls, jint depth) {
  if (depth < 0) {
    jclass type = (*env)->FindClass(env, "java/lang/IllegalStateException");
    if (type != NULL) (*env)->ThrowNew(env, type, "asked for");
    return 0;
  }
  work(500);
  return depth == 0 ? 0 : (*env)->CallStaticLongMethod(env, calls, g_up, depth - 1);
}

JNIEXPORT jlong EXPORT(sum)(JNIEnv* env, jclass calls, jbyteArray numbers) {
  (void)calls;
  jsize length = (*env)->GetArrayLength(env, numbers);
  jbyte* pinned = (*env)->GetPrimitiveArrayCritical(env, numbers, NULL);
  if (pinned == NULL) return -1;
  jlong sum = 0;
  for (jsize i = 0; i < length; i++) sum += pinned[i];
  (*env)->ReleasePrimitiveArrayCritical(env, numbers, pinned, JNI_ABORT);
  return sum;
}

static void* visitor(void* visits) {
  JNIEnv* env;
  if ((*g_vm)->AttachCurrentThread(g_vm, (void**)&env, NULL) != JNI_OK) return NULL;
  (*env)->CallStaticLongMethod(env, g_calls, g_up, 3);
  if ((*env)->ExceptionCheck(env)) {
    (*env)->ExceptionClear(env);
  } else {
    atomic_fetch_add((atomic_int*)visits, 1);
  }
  (*g_vm)->DetachCurrentThread(g_vm);
  return NULL;
}

JNIEXPORT jint EXPORT(visit)(JNIEnv* env, jclass calls, jint count) {
  (void)env, (void)calls;
  atomic_int visits = 0;
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, visitor, &visits) == 0) pthread_join(thread, NULL);
  }
  return visits;
}

JNIEXPORT jint EXPORT(fork)(JNIEnv* env, jclass calls) {
  (void)env, (void)calls;
  pid_t child = fork();
  if (child == 0) {
    work(200000);
    _exit(7);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void on_alarm(int number) {
  (void)number;
  atomic_fetch_add(&g_alarms, 1);
}

JNIEXPORT void EXPORT(startAlarms)(JNIEnv* env, jclass calls) {
  (void)env, (void)calls;
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  struct itimerval every = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &every, NULL);
}

JNIEXPORT jlong EXPORT(alarms)(JNIEnv* env, jclass calls) {
  (void)env, (void)calls;
  return g_alarms;
}
