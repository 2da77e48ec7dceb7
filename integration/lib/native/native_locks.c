// Waits for native locks, each kind at a site of its own: JNI of workloads/threads/NativeLocks.java.
#define _GNU_SOURCE
#include <jni.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

// Takes and holds the lock `times` times. Returns the nanoseconds until it had the lock, each time together.
#define SITE(name, take, release)                                                                           \
  __attribute__((noinline)) static long site_##name(void) {                                                 \
    long began = now();                                                                                     \
    take;                                                                                                   \
    return now() - began;                                                                                   \
  }                                                                                                         \
  JNIEXPORT jlong JNICALL Java_NativeLocks_##name(JNIEnv* env, jclass type, jlong times, jlong held_micros) { \
    (void)env;                                                                                              \
    (void)type;                                                                                             \
    long sum = 0;                                                                                           \
    for (jlong i = 0; i < times; i++) {                                                                     \
      sum += site_##name();                                                                                 \
      usleep((useconds_t)held_micros);                                                                      \
      release;                                                                                              \
      usleep(50);                                                                                           \
    }                                                                                                       \
    return sum;                                                                                             \
  }

SITE(mutex, pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex))
SITE(read, pthread_rwlock_rdlock(&lock), pthread_rwlock_unlock(&lock))
SITE(write, pthread_rwlock_wrlock(&lock), pthread_rwlock_unlock(&lock))
