// Sites of native memory, each of its own function: JNI of workloads/alloc/NativeSites.java.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <jni.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define SITE(name, expression)                                                            \
  __attribute__((noinline)) void* site_##name(size_t size) {                              \
    void* memory = expression;                                                            \
    __asm__ volatile("" : "+r"(memory));                                                  \
    return memory;                                                                        \
  }                                                                                       \
  JNIEXPORT jlong JNICALL Java_NativeSites_##name(JNIEnv* env, jclass type, jlong size) { \
    (void)env;                                                                            \
    (void)type;                                                                           \
    return (jlong)(intptr_t)site_##name((size_t)size);                                    \
  }

static void* aligned(size_t size) {
  void* memory = NULL;
  return posix_memalign(&memory, 64, size) == 0 ? memory : NULL;
}

SITE(malloc, malloc(size))
SITE(calloc, calloc(1, size))
SITE(realloc, realloc(malloc(1), size))
SITE(aligned, aligned(size))

SITE(map, mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))

JNIEXPORT void JNICALL Java_NativeSites_unmap(JNIEnv* env, jclass type, jlong memory, jlong size) {
  (void)env;
  (void)type;
  munmap((void*)(intptr_t)memory, (size_t)size);
}

JNIEXPORT void JNICALL Java_NativeSites_free(JNIEnv* env, jclass type, jlong memory) {
  (void)env;
  (void)type;
  free((void*)(intptr_t)memory);
}

// Pairs of malloc and free, as a program that does little else but `work` steps of a computation between two pairs.
JNIEXPORT jlong JNICALL Java_NativeSites_pairs(JNIEnv* env, jclass type, jlong count, jlong work) {
  (void)env;
  (void)type;
  void* kept[16] = {0};
  uint64_t value = 1;
  for (jlong i = 0; i < count; i++) {
    free(kept[i & 15]);
    kept[i & 15] = malloc(32 + (size_t)(i & 7) * 16);
    for (jlong step = 0; step < work; step++) value = value * 6364136223846793005u + (uintptr_t)kept[i & 15];
  }
  for (int i = 0; i < 16; i++) free(kept[i]);
  return (jlong)value;
}

// Loads a library, calls its function, which allocates, and unloads it.
JNIEXPORT jlong JNICALL Java_NativeSites_reload(JNIEnv* env, jclass type, jstring path) {
  (void)type;
  const char* text = (*env)->GetStringUTFChars(env, path, NULL);
  void* library = dlopen(text, RTLD_NOW | RTLD_LOCAL);
  (*env)->ReleaseStringUTFChars(env, path, text);
  if (library == NULL) return 0;
  void* (*allocate)(size_t) = (void* (*)(size_t))dlsym(library, "loaded_site");
  if (allocate != NULL) free(allocate(100000));
  dlclose(library);
  return allocate != NULL;
}
