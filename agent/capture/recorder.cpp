#include "capture/recorder.h"

#include <sys/mman.h>

#include <csignal>
#include <cstring>
#include <ctime>

namespace hearth::capture {
namespace {

template <typename T, typename U>
void add(std::atomic<T>& counter, U amount) {
  counter.fetch_add(static_cast<T>(amount), std::memory_order_relaxed);
}

uint64_t read_clock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000 + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

uint64_t now_ns() {
  return read_clock(CLOCK_MONOTONIC);
}

uint64_t thread_cpu_ns() {
  return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

// Only pages that a walk reaches are ever touched.
ScratchPool::ScratchPool()
    : memory_(mmap(nullptr, kPlaces * sizeof(WalkScratch), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
              kPlaces * sizeof(WalkScratch)) {}

WalkScratch* ScratchPool::take() {
  if (!memory_) return nullptr;
  uint64_t taken = taken_.load(std::memory_order_relaxed);
  while (~taken != 0) {
    int place = __builtin_ctzll(~taken);
    if (taken_.compare_exchange_weak(taken, taken | uint64_t{1} << place, std::memory_order_acquire))
      return memory_.as<WalkScratch>() + place;
  }
  return nullptr;
}

void ScratchPool::give_back(WalkScratch* scratch) {
  auto place = scratch - memory_.as<WalkScratch>();
  taken_.fetch_and(~(uint64_t{1} << place), std::memory_order_release);
}

void Recorder::lose(const Occasion& occasion) {
  add(counters_.lost, 1);
  add(counters_.lost_weight[occasion.event], occasion.weight);
}

void Recorder::count_again(const Recorded& recorded, uint64_t count) {
  add(counters_.samples, count);
  if (recorded.has_java) add(counters_.java_samples, count);
  if (recorded.has_java && recorded.whole) add(counters_.whole, count);
}

void Recorder::count(const WalkResult& result) {
  if (result.has_java) add(counters_.java_samples, 1);
  if (result.has_java && result.whole) add(counters_.whole, 1);
  if (result.recovered) add(counters_.recovered, 1);
  if (result.truncated) add(counters_.truncated, 1);
  if (result.root_missing) add(counters_.root_missing, 1);
  if (result.failure != Marker::kCount) add(counters_.failures[static_cast<int>(result.failure)], 1);
}

// A Java thread is called from the same natives all its life, nearly: when the way there was lost behind the same
// outermost Java method as last time, the natives of last time stand in.
uint32_t Recorder::complete_roots(RootMemory* memory, const WalkResult& result, WalkScratch* scratch) {
  uint32_t count = result.frame_count;
  if (!result.has_java || result.failure != Marker::kCount || result.truncated || count == result.root_count)
    return count;
  uint64_t outermost = scratch->frames[count - result.root_count - 1].value;
  if (!result.root_missing) {
    memory->outermost_method = outermost;
    return count;
  }
  if (memory->outermost_method != outermost || count + memory->root_count > kMaxFrames) return count;
  std::memcpy(scratch->frames + count, memory->roots, memory->root_count * sizeof(Frame));
  return count + memory->root_count;
}

// Outermost first; as long as the stack is the one remembered, its nodes are known.
uint32_t Recorder::store(ThreadSlot* slot, const Frame* frames, uint32_t count) {
  uint32_t node = StackTree::kRoot;
  uint32_t depth = 0;
  while (depth < count && depth < slot->remembered && slot->stack[depth].frame == frames[count - 1 - depth]) {
    node = slot->stack[depth].node;
    depth++;
  }
  for (; depth < count; depth++) {
    Frame frame = frames[count - 1 - depth];
    node = tree_->child(node, frame);
    if (node == StackTree::kFull) {
      slot->remembered = depth < ThreadSlot::kRemembered ? depth : ThreadSlot::kRemembered;
      return node;
    }
    if (depth < ThreadSlot::kRemembered) {
      slot->stack[depth].frame = frame;
      slot->stack[depth].node = node;
    }
  }
  slot->remembered = count < ThreadSlot::kRemembered ? count : ThreadSlot::kRemembered;
  return node;
}

// The samples whose walk is measured are not those whose handler is: a measurement costs time itself.
WalkResult Recorder::walk(const ucontext_t* interrupted, ThreadSlot* slot, uint32_t kernel_count, WalkScratch* scratch,
                          uint64_t ticket) {
  bool measured = ticket % kMeasureEvery == kMeasureEvery / 2;
  uint64_t began = measured ? thread_cpu_ns() : 0;
  WalkResult result = walk_stack(*plan_, interrupted, kernel_count, scratch, &slot->roots);
  if (!measured) return result;
  uint64_t walk_ns = thread_cpu_ns() - began;
  add(counters_.walk_ns, walk_ns);
  counters_.walk_times.add(walk_ns);
  return result;
}

Recorded Recorder::record(const ucontext_t* interrupted, ThreadSlot* slot, const Occasion& occasion,
                          const Frame* kernel, uint32_t kernel_count) {
  if (!records(*slot)) return {};
  // A small alternate stack (some runtimes give their threads 8 KB) has no room for a walk.
  constexpr size_t kLeastAlternateStack = 32 << 10;
  bool cramped =
      (interrupted->uc_stack.ss_flags & SS_ONSTACK) != 0 && interrupted->uc_stack.ss_size < kLeastAlternateStack;
  WalkScratch* scratch = cramped ? nullptr : scratch_.take();
  if (scratch == nullptr) {
    lose(occasion);
    return {};
  }
  uint64_t ticket = counters_.handled.fetch_add(1, std::memory_order_relaxed);
  bool measured = ticket % kMeasureEvery == 0;
  uint64_t began = measured && occasion.entered_cpu_ns == 0 ? thread_cpu_ns() : occasion.entered_cpu_ns;
  std::memcpy(scratch->frames, kernel, kernel_count * sizeof(Frame));
  WalkResult result = walk(interrupted, slot, kernel_count, scratch, ticket);
  uint32_t count_now = complete_roots(&slot->roots, result, scratch);
  uint32_t stack = store(slot, scratch->frames, count_now);
  scratch_.give_back(scratch);

  Sample sample = {occasion.entered_ns, occasion.weight, stack, slot->serial, 0, occasion.event, occasion.state};
  if (stack == StackTree::kFull || !ring_->push(sample)) {
    lose(occasion);
    stack = StackTree::kFull;
  } else {
    add(counters_.samples, 1);
  }
  count(result);
  if (measured) {
    uint64_t handler_ns = thread_cpu_ns() - began;
    add(counters_.handler_ns, handler_ns);
    counters_.handler_times.add(handler_ns);
  }
  return {stack, result.has_java, result.whole};
}

}  // namespace hearth::capture
