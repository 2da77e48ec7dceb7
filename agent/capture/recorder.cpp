#include "capture/recorder.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "base/clocks.h"
#include "capture/arch/registers.h"
#include "capture/labels/foreign_context.h"
#include "capture/labels/last_sample.h"
#include "capture/labels/thread_labels.h"
#include "capture/labels/thread_spans.h"
#include "capture/store/joined_stacks.h"
#include "capture/unwind/update_stack_cache.h"

namespace hearth::capture {
namespace {

template <typename T, typename U>
void add(std::atomic<T>& counter, U amount) {
  counter.fetch_add(static_cast<T>(amount), std::memory_order_relaxed);
}

// True if the handler's stack is large enough for a walk: some runtimes give their threads an alternate stack of 8 KB.
// Whether the handler runs on it follows from addresses: SS_ONSTACK is valid in sigaltstack(2) only.
bool has_stack_space(const ucontext_t& interrupted) {
  constexpr size_t kLeast = 32 << 10;
  const stack_t& alternate = interrupted.uc_stack;
  auto begin = reinterpret_cast<uintptr_t>(alternate.ss_sp);
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  bool on_it = here >= begin && here - begin < alternate.ss_size;
  return !on_it || alternate.ss_size >= kLeast;
}

// Lets a thread take the faults of a walk in this scope. Libraries run threads with all signals blocked; a fault there
// ends the process.
class OpenToFaults {
 public:
  OpenToFaults() { change(SIG_UNBLOCK, kFaults, &before_); }
  OpenToFaults(const OpenToFaults&) = delete;
  OpenToFaults& operator=(const OpenToFaults&) = delete;
  ~OpenToFaults() { change(SIG_SETMASK, before_, nullptr); }

 private:
  static constexpr uint64_t kFaults = uint64_t{1} << (SIGSEGV - 1) | uint64_t{1} << (SIGBUS - 1);
  static void change(int how, uint64_t mask, uint64_t* before) {
    syscall(SYS_rt_sigprocmask, how, &mask, before, sizeof mask);
  }

  uint64_t before_ = 0;
};

}  // namespace

uint64_t now_ns() {
  return static_cast<uint64_t>(clock_ns(CLOCK_MONOTONIC));
}

uint64_t thread_cpu_ns() {
  return static_cast<uint64_t>(clock_ns(CLOCK_THREAD_CPUTIME_ID));
}

void Recorder::count_lost(const SampleInfo& info) {
  if (info.will_retry) return;
  add(counters_.lost, 1);
  add(counters_.lost_weight[info.event], info.weight);
  constexpr double kHalf = 0.5;
  add(counters_.lost_objects[info.event], info.objects + kHalf);
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
  if (result.natives_missing) add(counters_.natives_missing, 1);
  if (result.failure != Marker::kCount) add(counters_.failures[static_cast<int>(result.failure)], 1);
}

// Labels and span that the program gave the thread by hearth, else those that another agent publishes for it.
void Recorder::add_context(Sample* sample, const SampleInfo& info) {
  if (info.outer != nullptr && info.outer->serial != 0) {
    sample->thread = info.outer->serial;
    sample->labels = info.outer->recorded.labels;
    sample->span = info.outer->recorded.span;
    return;
  }
  sample->labels = static_cast<uint16_t>(current_labels(plan_->vm, plan_->access));
  SpanCell cell = current_span(plan_->vm, plan_->access);
  if (cell.is_whole()) sample->span = spans_.number_of(cell.ids);
  if (!cell.is_whole()) add(counters_.torn_spans, 1);
  if (sample->labels != kNoLabels && sample->span != SpanTable::kNone) return;
  ForeignContext foreign = foreign_context();
  if (sample->labels == kNoLabels) sample->labels = foreign.attributes;
  if (sample->span == SpanTable::kNone) sample->span = spans_.number_of(foreign.span);
}

// Writes the frames that need no walk; returns their number.
uint32_t Recorder::put_innermost(const ucontext_t* interrupted, const Frame* kernel, uint32_t kernel_count,
                                 Frame* frames) {
  uint32_t count = 0;
  if (plan_->pc_frames) frames[count++] = Frame::of(RawKind::kAddress, interrupted_pc(interrupted));
  if (kernel_count > 0) std::memcpy(frames + count, kernel, kernel_count * sizeof(Frame));
  return count + kernel_count;
}

// Replaces the outer Java frames of a stack that is too deep by a marker. It keeps java_kept frames, which may be fewer
// than java_depth: such a stack is less useful and takes as much memory.
void Recorder::truncate_stack(WalkResult* result, Frame* frames) {
  if (!result->truncated && result->java_frames <= plan_->java_depth) return;
  uint32_t first = 0;
  while (first < result->frame_count && !frames[first].is_java()) first++;
  uint32_t end = result->frame_count;
  while (end > first && !frames[end - 1].is_java()) end--;
  uint32_t roots = end;
  if (roots < result->frame_count && frames[roots] == Frame::marker(Marker::kTruncated)) roots++;
  end = std::min(end, first + plan_->java_kept);
  if (end == roots && result->frame_count == kMaxFrames) end--;
  std::memmove(frames + end + 1, frames + roots, (result->frame_count - roots) * sizeof(Frame));
  frames[end] = Frame::marker(Marker::kTruncated);
  result->frame_count = end + 1 + (result->frame_count - roots);
  result->truncated = true;
  result->whole = false;
  result->checkpoint_count = 0;  // checkpoints count frames of the complete stack
}

// Stores frames from the outermost on, and gives the new checkpoints their nodes.
uint32_t Recorder::store(const WalkResult& result, WalkScratch* scratch) {
  uint32_t node = result.joined ? result.base_node : StackTree::kRoot;
  uint32_t checkpoint = result.checkpoint_count;
  auto give_node = [&](uint32_t frame) {
    for (; checkpoint > 0 && scratch->checkpoints[checkpoint - 1].frame == frame; checkpoint--)
      scratch->checkpoints[checkpoint - 1].checkpoint.node = node;
  };
  give_node(result.frame_count);
  bool is_new = false;
  for (uint32_t i = result.frame_count; i-- > 0;) {
    node = tree_->child(node, scratch->frames[i], &is_new);
    if (node == StackTree::kFull) return node;
    give_node(i);
  }
  return node;
}

uint32_t Recorder::without_hooks(uint32_t stack, const SampleInfo& info) const {
  for (uint8_t left = info.hooks; left > 0 && stack != StackTree::kFull && stack != StackTree::kRoot; left--) {
    if (!tree_->frame(stack).is_java()) break;
    stack = tree_->parent(stack);
  }
  if (!info.leaf || stack == StackTree::kFull) return stack;
  bool is_new = false;
  return tree_->child(java_caller(stack), *info.leaf, &is_new);
}

uint32_t Recorder::java_caller(uint32_t stack) const {
  uint32_t caller = stack;
  while (caller != StackTree::kRoot && !tree_->frame(caller).is_java()) caller = tree_->parent(caller);
  return caller == StackTree::kRoot ? stack : caller;
}

WalkResult Recorder::walk(const WalkStart& start, const WalkCaches& caches, WalkScratch* scratch, bool measured) {
  uint64_t began = measured ? thread_cpu_ns() : 0;
  WalkResult result = walk_stack(*plan_, start, scratch, caches.stack, caches.roots);
  if (!measured) return result;
  uint64_t walk_ns = thread_cpu_ns() - began;
  add(counters_.walk_ns, walk_ns);
  counters_.walk_times.add(walk_ns);
  return result;
}

Recorded Recorder::record_from(const WalkStart& start, const WalkCaches& caches, ThreadSlot* slot,
                               const SampleInfo& info, WalkScratch* scratch) {
  uint64_t ticket = counters_.handled.fetch_add(1, std::memory_order_relaxed);
  // Measures walks and handlers on different samples: a measurement takes time itself.
  bool measured = ticket % info.measure_every == 0;
  bool walk_measured = ticket % info.measure_every == info.measure_every / 2;
  uint64_t began = measured && info.entered_cpu_ns == 0 ? thread_cpu_ns() : info.entered_cpu_ns;
  ReadableKeys readable(uses_keys_);
  WalkResult result = walk(start, caches, scratch, walk_measured);
  truncate_stack(&result, scratch->frames);
  uint32_t stack = store(result, scratch);
  if (caches.stack != nullptr && stack != StackTree::kFull) update_stack_cache(result, *scratch, caches.stack);
  if (plan_->java_style == JavaStyle::kCompare && stack != StackTree::kFull)
    comparison_.compare(*plan_, start, stack, scratch, caches.roots, tree_);
  stack = without_hooks(stack, info);
  if (info.outer != nullptr)
    stack = joined_stacks(tree_, info.outer->recorded.stack, info.outer->border, stack, scratch->frames, kMaxFrames);
  if (info.is_virtual) stack = without_carrier(tree_, stack, scratch->frames, kMaxFrames);
  scratch_.give_back(scratch);

  uint32_t thread = info.is_virtual ? 0 : slot->serial;
  Sample sample = {info.entered_ns, info.weight, stack,        thread,       kNoLabels, SpanTable::kNone,
                   info.event,      info.state,  info.objects, info.address, info.bytes};
  add_context(&sample, info);
  if (info.is_stack_only) {
    if (stack == StackTree::kFull) count_lost(info);
  } else if (stack == StackTree::kFull || !ring_->push(sample)) {
    count_lost(info);
    stack = StackTree::kFull;
  } else {
    add(counters_.samples, 1);
    count(result);
    *last_sample_cell() = info.entered_ns;
  }
  if (measured) {
    uint64_t handler_ns = thread_cpu_ns() - began;
    add(counters_.handler_ns, handler_ns);
    counters_.handler_times.add(handler_ns);
  }
  return {stack, sample.labels, sample.span, result.has_java, result.whole};
}

Recorded Recorder::record(const ucontext_t* interrupted, ThreadSlot* slot, const SampleInfo& info, const Frame* kernel,
                          uint32_t kernel_count) {
  if (!records(*slot, info)) return {};
  WalkScratch* scratch = has_stack_space(*interrupted) ? scratch_.take() : nullptr;
  if (scratch == nullptr) {
    count_lost(info);
    return {};
  }
  WalkCaches caches = {slot->stack_cache, &slot->root_cache};
  if (slot->in_callback_walk.load(std::memory_order_relaxed)) {
    scratch->no_roots.forget();
    caches = {nullptr, &scratch->no_roots};
  }
  uint32_t innermost = put_innermost(interrupted, kernel, kernel_count, scratch->frames);
  return record_from({interrupted, WalkFrom::kInterrupted, innermost}, caches, slot, info, scratch);
}

Recorded Recorder::record_call(ThreadSlot* slot, const SampleInfo& info, std::optional<Frame> innermost,
                               const ucontext_t* called) {
  if (!records(*slot, info)) return {};
  WalkScratch* scratch = called == nullptr || has_stack_space(*called) ? scratch_.take() : nullptr;
  if (scratch == nullptr) {
    count_lost(info);
    return {};
  }
  ucontext_t own{};
  if (called == nullptr) {
    Registers::here().put_into(&own);
    called = &own;
  }
  if (innermost) scratch->frames[0] = *innermost;
  return record_in_callback({called, WalkFrom::kLastJavaFrame, innermost ? 1U : 0U}, slot, info, scratch);
}

// Its own frames and those of its callers in this library are hidden (WalkPlan).
Recorded Recorder::record_native_call(ThreadSlot* slot, const SampleInfo& info, uintptr_t called) {
  if (!records(*slot, info)) return {};
  WalkScratch* scratch = scratch_.take();
  if (scratch == nullptr) {
    count_lost(info);
    return {};
  }
  OpenToFaults open;
  ucontext_t own{};
  Registers::here().put_into(&own);
  uint32_t innermost = 0;
  if (called != 0) scratch->frames[innermost++] = Frame::of(RawKind::kNative, called);
  return record_in_callback({&own, WalkFrom::kInterrupted, innermost}, slot, info, scratch);
}

Recorded Recorder::record_in_callback(const WalkStart& start, ThreadSlot* slot, const SampleInfo& info,
                                      WalkScratch* scratch) {
  slot->in_callback_walk.store(true, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  Recorded recorded = record_from(start, {slot->stack_cache, &slot->root_cache}, slot, info, scratch);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  slot->in_callback_walk.store(false, std::memory_order_relaxed);
  return recorded;
}

bool Recorder::record_release(uint32_t thread, uint16_t event, uintptr_t address) {
  Sample sample{};
  sample.time_ns = now_ns();
  sample.stack = StackTree::kRoot;
  sample.thread = thread;
  sample.event = event;
  sample.address = address;
  return ring_->push(sample);
}

}  // namespace hearth::capture
