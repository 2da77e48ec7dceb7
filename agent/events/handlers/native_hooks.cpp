#include "events/handlers/native_hooks.h"

#include <sys/mman.h>

#include <cerrno>

#include "capture/store/stack_tree.h"
#include "events/alloc/exponential.h"
#include "events/alloc/size_class.h"
#include "events/handlers/current_tid.h"
#include "events/handlers/hook_slot.h"
#include "events/handlers/mapped_ranges.h"

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
  void* (*mmap)(void*, size_t, int, int, int, off_t);
  void* (*mmap64)(void*, size_t, int, int, int, off_t);
  int (*munmap)(void*, size_t);
  void* (*mremap)(void*, size_t, size_t, int, void*);
};

// Memory that was allocated. `hook`: the function that the program called.
struct Memory {
  const void* address;
  int64_t bytes;
  uintptr_t hook;
  bool is_mapped;
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
std::atomic<uint64_t> g_forgotten{0};
MappedRanges g_mapped;  // the followed mappings
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

void add_live_mapping(LiveAllocations* live, MappedRanges::Range range, const LiveAllocations::Allocation& allocation) {
  if (g_mapped.add(range))
    add_live(live, reinterpret_cast<const void*>(range.begin), allocation);
  else
    live->miss(allocation);
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

void record(NativeSampling* sampling, const Memory& memory) {
  ThreadSlot* slot = slot_of_hook(*sampling);
  if (slot == nullptr || !sampling->recorder->records(*slot)) return;
  double chance = sampling->interval == 0 ? 1 : chance_of_point(static_cast<double>(memory.bytes), sampling->interval);
  capture::SampleInfo info;
  info.entered_ns = capture::now_ns();
  info.objects = 1 / chance;
  constexpr double kToNearest = 0.5;  // lround() is no function for handlers
  info.weight = static_cast<int64_t>(static_cast<double>(memory.bytes) * info.objects + kToNearest);
  info.event = sampling->event;
  info.state = size_class(memory.bytes);
  info.address = reinterpret_cast<uintptr_t>(memory.address);
  info.bytes = memory.bytes > 0 ? memory.bytes : 1;  // none would be a release
  capture::Recorded recorded = sampling->recorder->record_native_call(slot, info, memory.hook);
  if (sampling->live == nullptr || recorded.stack == capture::StackTree::kFull) return;
  LiveAllocations::Allocation allocation = {info.entered_ns, info.weight,     info.objects,  slot->serial,
                                            recorded.stack,  recorded.labels, recorded.span, info.state};
  if (!memory.is_mapped) return add_live(sampling->live, memory.address, allocation);
  uintptr_t end = info.address + static_cast<uintptr_t>(memory.bytes);
  add_live_mapping(sampling->live, {info.address, end}, allocation);
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
__attribute__((noinline)) void look(const Memory& memory) {
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
  if (!has_point(*sampling, memory.bytes, points)) return;
  points->left = kNever;  // allocations of the JVM on the way are not looked at
  record(sampling, memory);
  points->left = draw(*sampling, points);
}

template <typename Hook>
__attribute__((always_inline)) inline void count(const void* address, size_t size, Hook* hook, bool is_mapped = false) {
  if (address == nullptr) return;
  ThreadPoints& points = t_points;
  auto bytes = static_cast<int64_t>(size);
  if (__builtin_expect(points.sampling == g_number.load(std::memory_order_relaxed), 1) != 0) {
    points.left -= bytes;
    if (__builtin_expect(points.left > 0, 1) != 0) return;
  }
  look({address, bytes, reinterpret_cast<uintptr_t>(hook), is_mapped});
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

// The part of an allocation that a part of its bytes has.
LiveAllocations::Allocation part_of(LiveAllocations::Allocation allocation, uintptr_t bytes, uintptr_t of) {
  double share = static_cast<double>(bytes) / static_cast<double>(of);
  allocation.bytes = static_cast<int64_t>(static_cast<double>(allocation.bytes) * share);
  allocation.objects *= share;
  return allocation;
}

// Before the mappings are removed, wholly or in part.
__attribute__((noinline)) void release_mapped(MappedRanges::Range part) {
  Place* place = g_samplings.current();
  if (place == nullptr) return;
  Place::Entry entry(place);
  NativeSampling* sampling = entry.sampling();
  if (sampling == nullptr) return;
  g_mapped.take_overlapping(part, [&](MappedRanges::Range range) {
    const void* begin = reinterpret_cast<const void*>(range.begin);
    LiveAllocations::Allocation allocation;
    if (!take_live(*sampling, begin, &allocation)) return;
    uintptr_t bytes = range.end - range.begin;
    if (range.begin >= part.begin && range.end <= part.end) return report_release(sampling, begin);
    if (range.begin < part.begin)
      add_live_mapping(sampling->live, {range.begin, part.begin}, part_of(allocation, part.begin - range.begin, bytes));
    if (range.end > part.end)
      add_live_mapping(sampling->live, {part.end, range.end}, part_of(allocation, range.end - part.end, bytes));
  });
}

inline void unmaps(const void* address, size_t size) {
  auto begin = reinterpret_cast<uintptr_t>(address);
  if (__builtin_expect(g_mapped.is_empty(), 1) == 0 && size > 0) release_mapped({begin, begin + size});
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
  count(memory, size, malloc_hook);
  return memory;
}

void* calloc_hook(size_t number, size_t size) {
  void* memory = nested([&] { return g_real.calloc(number, size); });
  count(memory, number * size, calloc_hook);
  return memory;
}

void* realloc_hook(void* before, size_t size) {
  void* memory = is_followed(before) ? reallocate(before, size) : reallocate_unfollowed(before, size);
  count(memory, size, realloc_hook);
  return memory;
}

void free_hook(void* memory) {
  if (is_followed(memory)) release(memory);
  g_real.free(memory);
}

int posix_memalign_hook(void** memory, size_t alignment, size_t size) {
  int error = nested([&] { return g_real.posix_memalign(memory, alignment, size); });
  if (error == 0) count(*memory, size, posix_memalign_hook);
  return error;
}

void* aligned_alloc_hook(size_t alignment, size_t size) {
  void* memory = nested([&] { return g_real.aligned_alloc(alignment, size); });
  count(memory, size, aligned_alloc_hook);
  return memory;
}

void* memalign_hook(size_t alignment, size_t size) {
  void* memory = nested([&] { return g_real.memalign(alignment, size); });
  count(memory, size, memalign_hook);
  return memory;
}

void* valloc_hook(size_t size) {
  void* memory = nested([&] { return g_real.valloc(size); });
  count(memory, size, valloc_hook);
  return memory;
}

void* pvalloc_hook(size_t size) {
  void* memory = nested([&] { return g_real.pvalloc(size); });
  count(memory, size, pvalloc_hook);
  return memory;
}

// Memory that cannot be accessed is only an address: the JVM reserves it so, and gives it back so.
template <auto Real, typename Hook>
inline void* map(Hook* hook, void* address, size_t size, int rights, int flags, int file, off_t offset) {
  if ((flags & MAP_FIXED) != 0) unmaps(address, size);
  void* memory = (g_real.*Real)(address, size, rights, flags, file, offset);
  if (memory != MAP_FAILED && rights != PROT_NONE) count(memory, size, hook, true);
  return memory;
}

void* mmap_hook(void* address, size_t size, int rights, int flags, int file, off_t offset) {
  return map<&RealFunctions::mmap>(mmap_hook, address, size, rights, flags, file, offset);
}

void* mmap64_hook(void* address, size_t size, int rights, int flags, int file, off_t offset) {
  return map<&RealFunctions::mmap64>(mmap64_hook, address, size, rights, flags, file, offset);
}

int munmap_hook(void* address, size_t size) {
  unmaps(address, size);
  return g_real.munmap(address, size);
}

// The last argument is only there with some flags: without them it is any value, and not read.
// A mapping that may not move stays this thread's until the call is over; it often cannot grow.
void* mremap_hook(void* before, size_t size, size_t new_size, int flags, void* address) {
  bool may_move = (flags & MREMAP_MAYMOVE) != 0;
  if (may_move) unmaps(before, size);
  if ((flags & MREMAP_FIXED) != 0) unmaps(address, new_size);
  void* memory = g_real.mremap(before, size, new_size, flags, address);
  if (memory != MAP_FAILED && !may_move) unmaps(before, size);
  if (memory != MAP_FAILED) count(memory, new_size, mremap_hook, true);
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
          hook("pvalloc", pvalloc_hook, &g_real.pvalloc),
          hook("mmap", mmap_hook, &g_real.mmap),
          hook("mmap64", mmap64_hook, &g_real.mmap64),
          hook("munmap", munmap_hook, &g_real.munmap, true),
          hook("mremap", mremap_hook, &g_real.mremap, true)};
}

HookPlaces<NativeSampling>* native_samplings() {
  return &g_samplings;
}

void count_native_memory(uint64_t number) {
  g_number.store(number, std::memory_order_release);
}

void forget_native_memory() {
  g_forgotten.fetch_add(1, std::memory_order_relaxed);
  for (std::atomic<uint8_t>& count : g_followed) count.store(0, std::memory_order_relaxed);
  g_mapped.clear();
}

uint64_t native_memory_forgotten() {
  return g_forgotten.load(std::memory_order_relaxed);
}

}  // namespace hearth::events
