#include "capture/stack_tree.h"

#include <sys/mman.h>

#include <algorithm>

namespace hearth::capture {
namespace {

constexpr uint32_t kFirstSlots = 1 << 15;
constexpr uint32_t kMaxProbes = 64;
constexpr uint32_t kNodesAhead = 1 << 13;

uint32_t hash_of(uint32_t parent, Frame frame) {
  uint64_t h = frame.value * 0x9e3779b97f4a7c15ULL;
  h ^= (static_cast<uint64_t>(parent) << 32 | frame.detail) + (h >> 29);
  h *= 0xbf58476d1ce4e5b9ULL;
  return static_cast<uint32_t>(h >> 32);
}

// A child made right after its parent stands right behind it, and in no index: a stack that nobody had before is one
// run of memory, to write and to read.
bool needs_no_index(uint32_t parent, uint32_t id) {
  return parent != StackTree::kRoot && id == parent + 1;
}

Mapping reserve(size_t bytes) {
  return Mapping(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
                 bytes);
}

// A page fault inside a handler costs tens of microseconds: take the pages before. Failure only means slower.
void touch(void* from, size_t bytes) {
  constexpr uintptr_t kPage = 4096;
  auto begin = reinterpret_cast<uintptr_t>(from) & ~(kPage - 1);
  auto end = reinterpret_cast<uintptr_t>(from) + bytes;
#ifdef MADV_POPULATE_WRITE
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_WRITE);
#else
  constexpr int kPopulateWrite = 23;  // linux/mman.h, Linux 5.14
  madvise(reinterpret_cast<void*>(begin), end - begin, kPopulateWrite);
#endif
}

}  // namespace

StackTree::StackTree(uint32_t max_nodes)
    : node_memory_(reserve(size_t{max_nodes} * sizeof(Node))), nodes_(node_memory_.as<Node>()), max_nodes_(max_nodes) {
  if (nodes_ == nullptr) max_nodes_ = 0;
  add_index(kFirstSlots);
  grow();
}

uint32_t StackTree::node_count() const {
  return std::min(next_node_.load(std::memory_order_acquire), max_nodes_);
}

uint32_t StackTree::find(const Index& index, uint32_t hash, uint32_t parent, Frame frame) const {
  for (uint32_t probe = 0; probe < kMaxProbes; probe++) {
    uint32_t id = index.slots()[(hash + probe) & index.mask].load(std::memory_order_acquire);
    if (id == 0) return 0;
    const Node& node = nodes_[id];
    if (node.parent == parent && node.frame() == frame) return id;
  }
  return 0;
}

uint32_t StackTree::make_node(uint32_t parent, Frame frame) {
  uint32_t id = next_node_.load(std::memory_order_relaxed);
  do {
    if (id >= max_nodes_) return kFull;
  } while (!next_node_.compare_exchange_weak(id, id + 1, std::memory_order_acq_rel, std::memory_order_relaxed));
  Node& node = nodes_[id];
  node.value = frame.value;
  node.detail = frame.detail;
  __atomic_store_n(&node.parent, parent, __ATOMIC_RELEASE);
  return id;
}

// A node without memory of its own yet reads as the root's child.
bool StackTree::is_next(uint32_t parent, Frame frame) const {
  uint32_t id = parent + 1;
  if (parent == kRoot || id >= max_nodes_) return false;
  return __atomic_load_n(&nodes_[id].parent, __ATOMIC_ACQUIRE) == parent && nodes_[id].frame() == frame;
}

// Enters `mine` and returns the node that stands there in the end: another thread may be faster. Where the index is
// crowded until grow() comes, the node is not entered: it may be made twice, not lost.
uint32_t StackTree::insert(Index* index, uint32_t hash, uint32_t parent, Frame frame, uint32_t mine) {
  for (uint32_t probe = 0; probe < kMaxProbes; probe++) {
    std::atomic<uint32_t>& slot = index->slots()[(hash + probe) & index->mask];
    uint32_t id = slot.load(std::memory_order_acquire);
    if (id == 0 && slot.compare_exchange_strong(id, mine, std::memory_order_release, std::memory_order_acquire)) {
      index->used.fetch_add(1, std::memory_order_relaxed);
      return mine;
    }
    if (nodes_[id].parent == parent && nodes_[id].frame() == frame) return id;
  }
  return mine;
}

uint32_t StackTree::child(uint32_t parent, Frame frame, bool* is_new) {
  int newest = index_count_.load(std::memory_order_acquire) - 1;
  if (newest < 0 || max_nodes_ == 0) return kFull;
  uint32_t hash = 0;
  uint32_t id = 0;
  if (!*is_new) {
    if (is_next(parent, frame)) return parent + 1;
    hash = hash_of(parent, frame);
    id = find(indexes_[newest], hash, parent, frame);
    if (id != 0) return id;
    int oldest = oldest_in_use_.load(std::memory_order_acquire);
    for (int i = newest - 1; i >= oldest && id == 0; i--) id = find(indexes_[i], hash, parent, frame);
  }
  *is_new = id == 0;
  if (id == 0) id = make_node(parent, frame);
  if (id == kFull || needs_no_index(parent, id)) return id;
  uint32_t entered = insert(&indexes_[newest], hash != 0 ? hash : hash_of(parent, frame), parent, frame, id);
  if (entered != id) *is_new = false;
  return entered;
}

void StackTree::add_index(uint32_t slots) {
  int count = index_count_.load(std::memory_order_relaxed);
  if (count == kMaxIndexes) return;
  Index& index = indexes_[count];
  index.memory = reserve(size_t{slots} * sizeof(uint32_t));
  if (!index.memory) return;
  index.mask = slots - 1;
  touch(index.memory.as<void>(), index.memory.size());
  index_count_.store(count + 1, std::memory_order_release);
}

void StackTree::grow() {
  if (max_nodes_ == 0 || index_count_.load(std::memory_order_relaxed) == 0) return;
  uint32_t wanted = std::min(next_node_.load(std::memory_order_relaxed) + kNodesAhead, max_nodes_);
  if (wanted > touched_nodes_ + kNodesAhead / 2) {
    touch(nodes_ + touched_nodes_, size_t{wanted - touched_nodes_} * sizeof(Node));
    touched_nodes_ = wanted;
  }
  int newest = index_count_.load(std::memory_order_relaxed) - 1;
  const Index& index = indexes_[newest];
  if (index.used.load(std::memory_order_relaxed) <= index.mask / 2) return;
  add_index((index.mask + 1) * 2);
  if (index_count_.load(std::memory_order_relaxed) == newest + 1) return;
  // A node that is only half written yet is entered as one nobody asks for.
  for (uint32_t id = 1; id < node_count(); id++) {
    uint32_t parent = nodes_[id].parent;
    Frame frame = nodes_[id].frame();
    if (needs_no_index(parent, id)) continue;
    insert(&indexes_[newest + 1], hash_of(parent, frame), parent, frame, id);
  }
  oldest_in_use_.store(newest + 1, std::memory_order_release);
  // A signal that still works with the old index finds it empty, and at worst makes a node twice.
  madvise(index.memory.as<void>(), index.memory.size(), MADV_DONTNEED);
}

}  // namespace hearth::capture
