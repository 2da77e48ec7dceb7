#include "events/handlers/lock_hooks.h"

#include <pthread.h>

#include <algorithm>
#include <cerrno>

#include "events/alloc/size_class.h"
#include "events/handlers/hook_slot.h"
#include "events/lock/lock_weight.h"

namespace hearth::events {
namespace {

using capture::ThreadSlot;

template <typename Lock>
struct RealFunctions {
  int (*take)(Lock*);
  int (*attempt)(Lock*);
};

RealFunctions<pthread_mutex_t> g_mutex;
RealFunctions<pthread_rwlock_t> g_read, g_write;
HookPlaces<NativeLockSampling> g_samplings(HookKind::kLocks);
std::atomic<bool> g_measures{false};

// `hook`: the function that the program called.
void record(NativeLockSampling* sampling, const void* lock, uint64_t began_ns, uintptr_t hook) {
  capture::SampleInfo info;
  info.entered_ns = capture::now_ns();
  int64_t time_ns = std::max<int64_t>(static_cast<int64_t>(info.entered_ns - began_ns), 1);
  LockWeight weight = weight_of_wait(time_ns, sampling->interval, info.entered_ns ^ reinterpret_cast<uintptr_t>(&info));
  if (weight.contentions == 0) return;
  ThreadSlot* slot = slot_of_hook(*sampling);
  if (slot == nullptr || !sampling->recorder->records(*slot)) return;
  info.weight = weight.delay_ns;
  info.objects = weight.contentions;
  info.event = sampling->event;
  info.state = size_class(time_ns);
  info.address = reinterpret_cast<uintptr_t>(lock);
  info.bytes = time_ns;
  sampling->recorder->record_native_call(slot, info, hook);
}

__attribute__((noinline)) void waited(const void* lock, uint64_t began_ns, uintptr_t hook) {
  Published<NativeLockSampling>* place = g_samplings.current();
  if (place == nullptr) return;
  Published<NativeLockSampling>::Entry entry(place);
  NativeLockSampling* sampling = entry.sampling();
  if (sampling == nullptr || began_ns < sampling->began_ns || !sampling->is_of_this_process()) return;
  record(sampling, lock, began_ns, hook);
}

// The attempt returns what the function would, as an error or EOWNERDEAD, unless another thread has the lock.
template <typename Lock>
__attribute__((always_inline)) inline int take(const RealFunctions<Lock>& real, Lock* lock, int (*hook)(Lock*)) {
  if (!g_measures.load(std::memory_order_relaxed)) return real.take(lock);
  int result = real.attempt(lock);
  if (__builtin_expect(result != EBUSY, 1) != 0) return result;
  uint64_t began_ns = capture::now_ns();
  result = real.take(lock);
  if (result == 0 || result == EOWNERDEAD) waited(lock, began_ns, reinterpret_cast<uintptr_t>(hook));
  return result;
}

int mutex_hook(pthread_mutex_t* mutex) {
  return take(g_mutex, mutex, mutex_hook);
}

int read_hook(pthread_rwlock_t* lock) {
  return take(g_read, lock, read_hook);
}

int write_hook(pthread_rwlock_t* lock) {
  return take(g_write, lock, write_hook);
}

template <typename Lock>
LockHook hook(const char* name, int (*code)(Lock*), RealFunctions<Lock>* real) {
  return {name, reinterpret_cast<uintptr_t>(code), reinterpret_cast<uintptr_t*>(&real->take),
          reinterpret_cast<uintptr_t*>(&real->attempt)};
}

}  // namespace

std::array<LockHook, kLockHooks> lock_hooks() {
  return {hook("pthread_mutex_lock", mutex_hook, &g_mutex), hook("pthread_rwlock_rdlock", read_hook, &g_read),
          hook("pthread_rwlock_wrlock", write_hook, &g_write)};
}

HookPlaces<NativeLockSampling>* lock_samplings() {
  return &g_samplings;
}

void measure_native_locks(bool measures) {
  g_measures.store(measures, std::memory_order_release);
}

}  // namespace hearth::events
