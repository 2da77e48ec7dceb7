// Loads the agent as a JVM does, with a false HotSpot, and uses CPU time in functions of its own on two threads:
//   profiled_program LIBHEARTH OPTIONS
// OPTIONS are those of -agentpath; the profile is written at the end.
#include <dlfcn.h>
#include <jni.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

extern JavaVM* begin_false_hotspot(void);
extern void tell_vm_init(void);
extern void tell_vm_death(void);

static volatile unsigned long sum;

__attribute__((noinline)) void innermost_work(unsigned long rounds) {
  for (unsigned long round = 0; round < rounds; round++) sum += round * round;
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

__attribute__((noinline)) void middle_work(void) {
  innermost_work(10000000);
  sum++;
}

__attribute__((noinline)) void* outermost_work(void* nothing) {
  double end = cpu_seconds() + 1;
  while (cpu_seconds() < end) middle_work();
  sum++;
  return nothing;
}

int main(int count, char** arguments) {
  if (count != 3) return 2;
  void* library = dlopen(arguments[1], RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  jint (*on_load)(JavaVM*, char*, void*) = (jint(*)(JavaVM*, char*, void*))dlsym(library, "Agent_OnLoad");
  if (on_load == NULL || on_load(begin_false_hotspot(), arguments[2], NULL) != JNI_OK) return 1;
  tell_vm_init();
  pthread_t worker;
  pthread_create(&worker, NULL, outermost_work, NULL);
  outermost_work(NULL);
  pthread_join(worker, NULL);
  tell_vm_death();
  puts("done");
  return 0;
}
