#include "capture/comparison.h"

#include <algorithm>

#include "capture/unwind/java/agct_walk.h"
#include "capture/unwind/java/vm_walk.h"

namespace hearth::capture {
namespace {

bool same_place(const Frame& a, const Frame& b) {
  return a.value == b.value && a.bci() == b.bci();
}

// Iterates over a stored stack from its innermost frame.
class StoredStack {
 public:
  StoredStack(const StackTree& tree, uint32_t node) : tree_(tree), node_(node) {}
  bool next(Frame* frame) {
    if (node_ == StackTree::kRoot) return false;
    *frame = tree_.frame(node_);
    node_ = tree_.parent(node_);
    return true;
  }
  bool next_java(Frame* frame) {
    while (next(frame)) {
      if (frame->is_java()) return true;
    }
    return false;
  }

 private:
  const StackTree& tree_;
  uint32_t node_;
};

// True for frames that are added without a walk.
bool is_added(const Frame& frame) {
  return frame.kind() == RawKind::kKernel || frame.kind() == RawKind::kAllocated || frame.kind() == RawKind::kLock;
}

bool same_frames(StoredStack stored, const Frame* frames, uint32_t count) {
  Frame frame{};
  for (uint32_t i = 0; i < count; i++) {
    if (is_added(frames[i])) continue;
    do {
      if (!stored.next(&frame)) return false;
    } while (is_added(frame));
    if (!(frame == frames[i])) return false;
  }
  return !stored.next(&frame);
}

enum class Agreement { kSame, kFiner, kNone };

// True if the Java frames of `ours` are the outermost of `frames`; `further_in`: the number of further ones in
// `frames`.
bool is_outer_part(StoredStack ours, const Frame* frames, uint32_t count, uint32_t* further_in) {
  constexpr uint32_t kMost = 2 * kMaxScopes;
  uint32_t depth = 0;
  Frame frame{};
  for (StoredStack counted = ours; counted.next_java(&frame);) depth++;
  uint32_t theirs = 0;
  for (uint32_t i = 0; i < count; i++) theirs += frames[i].is_java() ? 1 : 0;
  if (theirs < depth || theirs - depth > kMost) return false;
  *further_in = theirs - depth;
  uint32_t seen = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!frames[i].is_java() || seen++ < *further_in) continue;
    if (!ours.next_java(&frame) || !same_place(frame, frames[i])) return false;
  }
  return true;
}

Agreement compare_java_frames(StoredStack ours, const Frame* frames, uint32_t count) {
  constexpr int kMostSkipped = 2;
  uint32_t further_in = 0;
  if (is_outer_part(ours, frames, count, &further_in) && further_in == 0) return Agreement::kSame;
  for (int i = 0; i < kMostSkipped; i++) {
    Frame frame{};
    do {
      if (!ours.next_java(&frame)) return Agreement::kNone;
    } while (frame.kind() == RawKind::kInlined);
    if (is_outer_part(ours, frames, count, &further_in)) return Agreement::kFiner;
  }
  return Agreement::kNone;
}

bool has_java(StoredStack stored) {
  Frame frame{};
  return stored.next_java(&frame);
}

}  // namespace

void Comparison::keep(uint32_t ours, const Frame* theirs, uint32_t count, StackTree* tree) {
  uint32_t place = next_example_.fetch_add(1, std::memory_order_relaxed);
  if (place >= kMostExamples) return;
  uint32_t node = StackTree::kRoot;
  for (uint32_t i = count; i-- > 0 && node != StackTree::kFull;) node = tree->child(node, theirs[i]);
  examples_[place] = {ours, node};
}

void Comparison::compare(const WalkPlan& plan, WalkStart start, uint32_t stack, WalkScratch* scratch, RootCache* roots,
                         StackTree* tree) {
  StoredStack ours(*tree, stack);
  start.known_count = 0;
  WalkResult whole = walk_vm(plan, start, scratch, nullptr);
  if (whole.failure == Marker::kCount && !same_frames(ours, scratch->frames, whole.frame_count)) {
    cache_differs_.fetch_add(1, std::memory_order_relaxed);
    keep(stack, scratch->frames, whole.frame_count, tree);
  }
  WalkResult asked = walk_agct(plan, start, scratch, roots);
  if (!asked.has_java || !has_java(ours)) return;
  if (asked.failure != Marker::kCount) {
    agct_failed_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  compared_.fetch_add(1, std::memory_order_relaxed);
  Agreement agreement = compare_java_frames(ours, scratch->frames, asked.frame_count);
  if (agreement == Agreement::kSame) return;
  if (agreement == Agreement::kFiner) {
    finer_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  differ_.fetch_add(1, std::memory_order_relaxed);
  keep(stack, scratch->frames, asked.frame_count, tree);
}

Comparison::Counts Comparison::counts() const {
  Counts counts;
  counts.compared = compared_.load();
  counts.finer = finer_.load();
  counts.differ = differ_.load();
  counts.cache_differs = cache_differs_.load();
  counts.agct_failed = agct_failed_.load();
  return counts;
}

uint32_t Comparison::example_count() const {
  return std::min(next_example_.load(), kMostExamples);
}

}  // namespace hearth::capture
