// To be preloaded into a JVM: measures the CPU time of every run of a profiler's signal handler, from its entry to its
// return, whoever the profiler is. HANDLER_TIMES names the file that takes the times; it is mapped, so another process can
// read it meanwhile.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The file: how many runs there were, then a place for each, around and around.
enum { kPlaces = 1 << 20 };
struct Run {
  uint32_t tid;
  uint32_t ns;
};
struct Times {
  _Atomic uint64_t count;
  struct Run runs[kPlaces];
};

static struct Times* times;
static struct sigaction actions[NSIG];
// Stay when the action goes: a signal may be on its way.
static void (*handlers[NSIG])(int, siginfo_t*, void*);
static int (*next_sigaction)(int, const struct sigaction*, struct sigaction*);

__attribute__((constructor)) static void begin(void) {
  next_sigaction = (int (*)(int, const struct sigaction*, struct sigaction*))dlsym(RTLD_NEXT, "sigaction");
  const char* path = getenv("HANDLER_TIMES");
  int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
  if (file < 0 || ftruncate(file, sizeof *times) != 0) return;
  // All pages now: a handler must not wait for one.
  void* memory = mmap(NULL, sizeof *times, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
  close(file);
  if (memory != MAP_FAILED) times = memory;
}

// A clock that stands still while the thread waits for a processor.
static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void timed(int number, siginfo_t* info, void* context) {
  uint64_t began = now_ns();
  handlers[number](number, info, context);
  uint64_t ns = now_ns() - began;
  int error = errno;
  struct Run run = {(uint32_t)syscall(SYS_gettid), (uint32_t)ns};
  times->runs[atomic_fetch_add(&times->count, 1) % kPlaces] = run;
  errno = error;
}

// The signals that profilers take. Whoever asks for the action sees the one that was set, not this one.
static int is_timed(int number) {
  return times != NULL && (number == SIGPROF || number == SIGVTALRM);
}

int sigaction(int number, const struct sigaction* action, struct sigaction* before) {
  if (!is_timed(number)) return next_sigaction(number, action, before);
  struct sigaction last = actions[number];
  if (action != NULL) {
    actions[number] = *action;
    struct sigaction wrapped = *action;
    if ((action->sa_flags & SA_SIGINFO) != 0) {
      handlers[number] = action->sa_sigaction;
      wrapped.sa_sigaction = timed;
    }
    int result = next_sigaction(number, &wrapped, NULL);
    if (result != 0) actions[number] = last;
    if (result != 0) return result;
  }
  if (before != NULL) *before = last;
  return 0;
}
