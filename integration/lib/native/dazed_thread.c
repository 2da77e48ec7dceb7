// An agent with a thread to which a profiler's first signal is lost: one of the same number was pending, which it blocks for
// the first second of its CPU time. After another second it ends. To be attached: "begin" starts it, "end" waits for it.
#define _GNU_SOURCE
#include <jvmti.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

static pthread_t thread;

static double cpu_seconds(void) {
  struct timespec used;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

static void* run(void* nothing) {
  sigset_t profiling;
  sigemptyset(&profiling);
  sigaddset(&profiling, SIGPROF);
  pthread_sigmask(SIG_BLOCK, &profiling, NULL);
  pthread_setname_np(pthread_self(), "dazed");
  pthread_kill(pthread_self(), SIGPROF);
  while (cpu_seconds() < 1) continue;
  pthread_sigmask(SIG_UNBLOCK, &profiling, NULL);
  while (cpu_seconds() < 2) continue;
  return nothing;
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM* vm, char* options, void* reserved) {
  (void)vm, (void)reserved;
  if (strcmp(options, "begin") == 0) return pthread_create(&thread, NULL, run, NULL);
  return pthread_join(thread, NULL);
}
