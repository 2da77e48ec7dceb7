#include "events/handlers/native_hooks.h"

#include <cerrno>

#include "capture/store/stack_tree.h"
#include "events/alloc/exponential.h"
#include "events/alloc/size_class.h"
#include "events/handlers/current_tid.h"
#include "events/handlers/hook_slot.h"

namespace hearth::events {
namespace {

using capture::ThreadSlot;

struct RealFunctions {
  void* (*malloc)(size_t);
  void* (*calloc)(size_t, size_t);
  void* (*realloc)(void*, size_t);
  void (*free)(void*);
  int (*posix_memalign)(void**, size_t, size_t);
  void* (*aligned_alloc)(size_t, size_t);
  void* (*memalign)(size_t, size_t);
  void* (*valloc)(size_t);
  void* (*pvalloc)(size_t);
};

// The sample points of a thread.
struct ThreadPoints {
  uint64_t sampling;  // NativeSampling::number that they were drawn for
  int64_t left;       // bytes to the next point
};
constexpr int64_t kNever = INT64_MAX / 2;
constexpr uint64_t kNested = UINT64_MAX;  // in place of a sampling's number

RealFunctions g_real;
using Place = Published<NativeSampling>;
HookPlaces<NativeSampling> g_samplings(HookKind::kMemory);
std::atomic<uint64_t> g_number{0};  // of the running sampling; 0: none
thread_local ThreadPoints t_points = {0, 0};

// How many followed addresses have a hash, up to a number that stays: most calls of free read only this.
constexpr int kHashBits = 16;
constexpr uint8_t kMany = UINT8_MAX;
std::atomic<uint8_t> g_followed[1 << kHashBits];

inline std::atomic<uint8_t>& followed(const void* memory) {
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;
  uint64_t mixed = (reinterpret_cast<uintptr_t>(memory) >> 4) * kFactor;
  return g_followed[mixed >> (64 - kHashBits)];
}

void follow(const void* memory) {
  std::atomic<uint8_t>& count = followed(memory);
  uint8_t before = count.load(std::memory_order_relaxed);
  while (before != kMany && !count.compare_exchange_weak(before, static_cast<uint8_t>(before + 1))) {
  }
}

void unfollow(const void* memory) {
  std::atomic<uint8_t>& count = followed(memory);
  uint8_t before = count.load(std::memory_order_relaxed);
  while (before != kMany && before != 0 && !count.compare_exchange_weak(before, static_cast<uint8_t>(before - 1))) {
  }
}

void add_live(LiveAllocations* live, const void* memory, const LiveAllocations::Allocation& allocation) {
  if (live->add(reinterpret_cast<uintptr_t>(memory), allocation) == LiveAllocations::Added::kNew) follow(memory);
}

// What the C library allocates in this scope is part of a call that is counted: musl's calloc, for one, calls malloc by
// a pointer that is replaced, too.
class Nested {
 public:
  Nested() { t_points.sampling = kNested; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;
  ~Nested() { t_points.sampling = sampling_; }

 private:
  const uint64_t sampling_ = t_points.sampling;
};

template <typename Call>
inline auto nested(const Call& call) {
  Nested scope;
  return call();
}

void record(NativeSampling* sampling, const void* memory, int64_t bytes) {
  ThreadSlot* slot = slot_of_hook(*sampling);
  if (slot == nullptr || !sampling->recorder->records(*slot)) return;
  double chance = sampling->interval == 0 ? 1 : chance_of_point(static_cast<double>(bytes), sampling->interval);
  capture::SampleInfo info;
  info.entered_ns = capture::now_ns();
  info.objects = 1 / chance;
  constexpr double kToNearest = 0.5;  // lround() is no function for handlers
  info.weight = static_cast<int64_t>(static_cast<double>(bytes) * info.objects + kToNearest);
  info.event = sampling->event;
  info.state = size_class(bytes);
  info.address = reinterpret_cast<uintptr_t>(memory);
  info.bytes = bytes > 0 ? bytes : 1;  // none would be a release
  capture::Recorded recorded = sampling->recorder->record_native_call(slot, info);
  if (sampling->live == nullptr || recorded.stack == capture::StackTree::kFull) return;
  add_live(sampling->live, memory,
           {info.entered_ns, info.weight, info.objects, slot->serial, recorded.stack, recorded.labels, recorded.span,
            info.state});
}

int64_t draw(const NativeSampling& sampling, const ThreadPoints* points) {
  if (sampling.interval == 0) return 0;
  uint64_t random = capture::now_ns() ^ (reinterpret_cast<uintptr_t>(points) << 16);
  return draw_distance(sampling.interval, &random);
}

// True if the allocation contains a point.
bool has_point(const NativeSampling& sampling, int64_t bytes, ThreadPoints* points) {
  if (points->sampling == sampling.number) return true;
  points->sampling = sampling.number;
  points->left = draw(sampling, points) - bytes;
  return points->left <= 0;
}

// The thread reached a point, or a sampling began or ended since its last one.
__attribute__((noinline)) void look(const void* memory, int64_t bytes) {
  ThreadPoints* points = &t_points;
  if (points->sampling == kNested) return;
  Place* place = g_samplings.current();
  if (place == nullptr) return;
  Place::Entry entry(place);
  NativeSampling* sampling = entry.sampling();
  // The child of a fork has no thread that counts samples. That of a vfork uses its parent's points.
  if (sampling != nullptr && !sampling->is_of_this_process()) {
    points->left = draw(*sampling, points);
    return;
  }
  if (sampling == nullptr || is_own_thread()) {
    points->sampling = g_number.load(std::memory_order_relaxed);
    points->left = kNever;
    return;
  }
  if (!has_point(*sampling, bytes, points)) return;
  points->left = kNever;  // allocations of the JVM on the way are not looked at
  record(sampling, memory, bytes);
  points->left = draw(*sampling, points);
}

__attribute__((always_inline)) inline void count(const void* memory, size_t size) {
  if (memory == nullptr) return;
  ThreadPoints& points = t_points;
  auto bytes = static_cast<int64_t>(size);
  if (__builtin_expect(points.sampling == g_number.load(std::memory_order_relaxed), 1) != 0) {
    points.left -= bytes;
    if (__builtin_expect(points.left > 0, 1) != 0) return;
  }
  look(memory, bytes);
}

bool take_live(const NativeSampling& sampling, const void* memory, LiveAllocations::Allocation* allocation) {
  if (sampling.live == nullptr || !sampling.live->take(reinterpret_cast<uintptr_t>(memory), allocation)) return false;
  unfollow(memory);
  return true;
}

void report_release(NativeSampling* sampling, const void* memory) {
  if (!sampling->reports_releases || !sampling->is_of_this_process()) return;
  ThreadSlot* slot = slot_of_hook(*sampling);
  uint32_t thread = slot == nullptr ? 0 : slot->serial;
  if (!sampling->recorder->record_release(thread, sampling->event, reinterpret_cast<uintptr_t>(memory)))
    sampling->unreported.fetch_add(1, std::memory_order_relaxed);
}

// Before the memory is released: afterwards another thread may get its address.
__attribute__((noinline)) void release(const void* memory) {
  Place* place = g_samplings.current();
  if (place == nullptr) return;
  Place::Entry entry(place);
  LiveAllocations::Allocation allocation;
  if (entry.sampling() != nullptr && take_live(*entry.sampling(), memory, &allocation))
    report_release(entry.sampling(), memory);
}

inline void* reallocate_unfollowed(void* memory, size_t size) {
  return nested([&] { return g_real.realloc(memory, size); });
}

// False: the memory was not followed, and is as it was.
bool reallocate_followed(void* memory, size_t size, void** result) {
  Place* place = g_samplings.current();
  if (place == nullptr) return false;
  Place::Entry entry(place);
  LiveAllocations::Allocation allocation;
  if (entry.sampling() == nullptr || !take_live(*entry.sampling(), memory, &allocation)) return false;
  report_release(entry.sampling(), memory);
  *result = nested([&] { return g_real.realloc(memory, size); });
  if (*result == nullptr && size != 0) add_live(entry.sampling()->live, memory, allocation);
  return true;
}

__attribute__((noinline)) void* reallocate(void* memory, size_t size) {
  void* result = nullptr;
  if (!reallocate_followed(memory, size, &result)) return reallocate_unfollowed(memory, size);
  if (result == nullptr && size != 0) errno = ENOMEM;
  return result;
}

inline bool is_followed(const void* memory) {
  return __builtin_expect(followed(memory).load(std::memory_order_relaxed) != 0, 0) != 0;
}

void* malloc_hook(size_t size) {
  void* memory = g_real.malloc(size);
  count(memory, size);
  return memory;
}

void* calloc_hook(size_t number, size_t size) {
  void* memory = nested([&] { return g_real.calloc(number, size); });
  count(memory, number * size);
  return memory;
}

void* realloc_hook(void* before, size_t size) {
  void* memory = is_followed(before) ? reallocate(before, size) : reallocate_unfollowed(before, size);
  count(memory, size);
  return memory;
}

void free_hook(void* memory) {
  if (is_followed(memory)) release(memory);
  g_real.free(memory);
}

int posix_memalign_hook(void** memory, size_t alignment, size_t size) {
  int error = nested([&] { return g_real.posix_memalign(memory, alignment, size); });
  if (error == 0) count(*memory, size);
  return error;
}

void* aligned_alloc_hook(size_t alignment, size_t size) {
  void* memory = nested([&] { return g_real.aligned_alloc(alignment, size); });
  count(memory, size);
  return memory;
}

void* memalign_hook(size_t alignment, size_t size) {
  void* memory = nested([&] { return g_real.memalign(alignment, size); });
  count(memory, size);
  return memory;
}

void* valloc_hook(size_t size) {
  void* memory = nested([&] { return g_real.valloc(size); });
  count(memory, size);
  return memory;
}

void* pvalloc_hook(size_t size) {
  void* memory = nested([&] { return g_real.pvalloc(size); });
  count(memory, size);
  return memory;
}

template <typename Function>
NativeHook hook(const char* name, Function* code, Function** real, bool releases = false) {
  return {name, reinterpret_cast<uintptr_t>(code), reinterpret_cast<uintptr_t*>(real), releases};
}

}  // namespace

std::array<NativeHook, kNativeHooks> native_hooks() {
  return {hook("malloc", malloc_hook, &g_real.malloc),
          hook("calloc", calloc_hook, &g_real.calloc),
          hook("realloc", realloc_hook, &g_real.realloc),
          hook("free", free_hook, &g_real.free, true),
          hook("posix_memalign", posix_memalign_hook, &g_real.posix_memalign),
          hook("aligned_alloc", aligned_alloc_hook, &g_real.aligned_alloc),
          hook("memalign", memalign_hook, &g_real.memalign),
          hook("valloc", valloc_hook, &g_real.valloc),
          hook("pvalloc", pvalloc_hook, &g_real.pvalloc)};
}

HookPlaces<NativeSampling>* native_samplings() {
  return &g_samplings;
}

void count_native_memory(uint64_t number) {
  g_number.store(number, std::memory_order_release);
  if (number != 0) return;
  for (std::atomic<uint8_t>& count : g_followed) count.store(0, std::memory_order_relaxed);
}

}  // namespace hearth::events
