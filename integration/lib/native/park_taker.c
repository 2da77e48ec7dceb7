// Binds Unsafe.park again, as another profiler may: the native of class Parked. Its park returns at once, which the
// specification of LockSupport.park allows at any time.
#include <jni.h>
#include <sched.h>

static void JNICALL park(JNIEnv* jni, jobject unsafe, jboolean is_absolute, jlong time) {
  (void)jni, (void)unsafe, (void)is_absolute, (void)time;
  sched_yield();
}

JNIEXPORT jint JNICALL Java_Parked_takePark(JNIEnv* jni, jclass self, jclass unsafe) {
  (void)self;
  JNINativeMethod method = {"park", "(ZJ)V", (void*)park};
  return (*jni)->RegisterNatives(jni, unsafe, &method, 1);
}
