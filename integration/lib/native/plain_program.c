/* A program without a JVM: works in two threads, 0.6 s of CPU time each, and in the kernel. Arguments: "" only works;
 * "fork" makes a child that works, too; "exec" replaces itself by the same program without the preloaded library;
 * "api LIBRARY FILE" profiles itself by async-profiler's C functions. Its exit code is 7. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static volatile double sum;

__attribute__((noinline)) void innermost_work(void) {
  for (int i = 0; i < 500000; i++) sum += i * 0.5;
}

__attribute__((noinline)) void kernel_work(void) {
  static char bytes[1 << 20];
  int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  for (int i = 0; i < 20; i++)
    if (read(zeros, bytes, sizeof bytes) < 0) abort();
  close(zeros);
}

__attribute__((noinline)) void outermost_work(double seconds) {
  for (double end = cpu_seconds() + seconds; cpu_seconds() < end;) {
    innermost_work();
    kernel_work();
  }
  sum += 1;
}

static void* work_of_thread(void* none) {
  outermost_work(0.6);
  return none;
}

static void work(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, work_of_thread, NULL) != 0) abort();
  outermost_work(0.6);
  pthread_join(thread, NULL);
}

static size_t written;
static void count_bytes(const char* text, size_t size) {
  (void)text;
  written += size;
}

static void profile_itself(const char* path, const char* file) {
  void* library = dlopen(path, RTLD_NOW);
  if (library == NULL) abort();
  void (*init)(void) = (void (*)(void))dlsym(library, "asprof_init");
  typedef const char* (*Execute)(const char*, void (*)(const char*, size_t));
  Execute execute = (Execute)dlsym(library, "asprof_execute");
  const char* (*error_text)(const char*) = (const char* (*)(const char*))dlsym(library, "asprof_error_str");
  volatile uint64_t* (*data)(void) = (volatile uint64_t * (*)(void)) dlsym(library, "asprof_get_thread_local_data");
  int (*type_of)(const char*) = (int (*)(const char*))dlsym(library, "asprof_register_jfr_event");
  typedef const char* (*Emit)(int, const uint8_t*, size_t);
  Emit emit = (Emit)dlsym(library, "asprof_emit_jfr_event");
  static uint8_t content[2049] = {'p', 'a', 'i', 'd'};
  init();
  printf("refused: %s\n", error_text(execute("start,event=alloc", count_bytes)));
  char command[4096];
  snprintf(command, sizeof command, "start,event=cpu,interval=1ms,file=%s", file);
  const char* error = execute(command, count_bytes);
  if (error != NULL) printf("error: %s\n", error_text(error));
  int checkout = type_of("checkout");
  printf("types: %d\n", checkout >= 0 && type_of("basket") != checkout && type_of("checkout") == checkout);
  for (int i = 0; i < 100; i++)
    if (emit(checkout, content, 4) != NULL) abort();
  printf("too long: %s\n", error_text(emit(checkout, content, sizeof content)));
  printf("no type: %s\n", error_text(emit(12345, content, 4)));
  work();
  error = execute("stop", count_bytes);
  if (error != NULL) printf("error: %s\n", error_text(error));
  printf("sampled: %d\n", *data() > 0);
  written = 0;
  error = execute("dump,collapsed", count_bytes);
  printf("collapsed: %d\n", error == NULL && written > 100);
}

int main(int count, char** arguments) {
  const char* mode = count > 1 ? arguments[1] : "";
  if (strcmp(mode, "api") == 0) {
    profile_itself(arguments[2], arguments[3]);
    return 7;
  }
  if (strcmp(mode, "fork") == 0 && fork() == 0) {
    outermost_work(0.2);
    exit(0);
  }
  work();
  if (strcmp(mode, "exec") == 0) {
    unsetenv("LD_PRELOAD");
    execlp("/proc/self/exe", arguments[0], "replaced", (char*)NULL);
    abort();
  }
  wait(NULL);
  printf("done %s\n", mode);
  return 7;
}
