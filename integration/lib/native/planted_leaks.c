// Memory outside of the heap, and references from there into it: JNI of workloads/alloc/Planted.java.
#define _GNU_SOURCE
#include <jni.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

JNIEXPORT jlong JNICALL Java_Planted_malloc(JNIEnv* env, jclass type, jlong size) {
  (void)env;
  (void)type;
  return (jlong)(intptr_t)malloc((size_t)size);
}

JNIEXPORT void JNICALL Java_Planted_free(JNIEnv* env, jclass type, jlong memory) {
  (void)env;
  (void)type;
  free((void*)(intptr_t)memory);
}

JNIEXPORT jlong JNICALL Java_Planted_map(JNIEnv* env, jclass type, jlong size) {
  (void)env;
  (void)type;
  return (jlong)(intptr_t)mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

JNIEXPORT void JNICALL Java_Planted_unmap(JNIEnv* env, jclass type, jlong memory, jlong size) {
  (void)env;
  (void)type;
  munmap((void*)(intptr_t)memory, (size_t)size);
}

JNIEXPORT jlong JNICALL Java_Planted_newGlobal(JNIEnv* env, jclass type, jobject object) {
  (void)type;
  return (jlong)(intptr_t)(*env)->NewGlobalRef(env, object);
}

JNIEXPORT void JNICALL Java_Planted_deleteGlobal(JNIEnv* env, jclass type, jlong reference) {
  (void)type;
  (*env)->DeleteGlobalRef(env, (jobject)(intptr_t)reference);
}
