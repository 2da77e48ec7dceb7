// Natives.spin, three calls deep; how its frames can be found depends on how this is compiled.
#include <jni.h>

#define PLAIN __attribute__((noinline, noclone)) static long

PLAIN plain_inner(long value) {
  volatile long room[9];
  room[3] = value * 31 + 7;
  return room[3] ^ value >> 3;
}

PLAIN plain_middle(long value, int turns) {
  volatile long room[5];
  room[0] = value;
  for (int i = 0; i < turns; i++) room[0] = plain_inner(room[0]);
  return room[0];
}

PLAIN plain_outer(int turns) {
  return plain_middle(turns, turns) + 1;
}

JNIEXPORT jlong JNICALL Java_Natives_spin(JNIEnv* env, jclass type, jint turns) {
  (void)env;
  (void)type;
  return plain_outer(turns) + 1;
}
