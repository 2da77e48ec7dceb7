// All stacks of a session as one tree: a stack is the id of its innermost node. Nodes are interned by (parent, frame),
// compared and not only hashed. child() is signal safe and lock free; grow() and the destructor are for one ordinary
// thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/owned.h"
#include "capture/frame.h"

namespace hearth::capture {

class StackTree {
 public:
  static constexpr uint32_t kRoot = 0;
  static constexpr uint32_t kFull = UINT32_MAX;

  struct Node {
    uint64_t value;
    uint32_t detail;
    uint32_t parent;
    Frame frame() const { return {value, detail}; }
  };

  // At most `max_nodes` nodes of 16 bytes; address space is reserved, memory taken as it fills.
  explicit StackTree(uint32_t max_nodes);

  // False: there was no memory, and nothing can be stored.
  bool ok() const { return max_nodes_ > 0 && index_count_ > 0; }

  // The node of `frame` under `parent`, made when new. kFull: there is no room; the caller counts the weight as lost.
  // `is_new`: on entry whether `parent` was made by the caller's last call and so has no children, on return whether
  // this node was made.
  uint32_t child(uint32_t parent, Frame frame, bool* is_new);
  uint32_t child(uint32_t parent, Frame frame) {
    bool is_new = false;
    return child(parent, frame, &is_new);
  }

  // Makes room ahead of the signals: a larger index when the newest fills up, memory of the next nodes touched. Call it
  // often.
  void grow();

  const Node& node(uint32_t id) const { return nodes_[id]; }
  uint32_t node_count() const;

 private:
  static constexpr int kMaxIndexes = 16;
  struct Index {
    Mapping memory;
    uint32_t mask = 0;  // slots - 1
    std::atomic<uint32_t> used{0};
    std::atomic<uint32_t>* slots() const { return memory.as<std::atomic<uint32_t>>(); }
  };

  uint32_t find(const Index& index, uint32_t hash, uint32_t parent, Frame frame) const;
  uint32_t insert(Index* index, uint32_t hash, uint32_t parent, Frame frame, uint32_t mine);
  bool is_next(uint32_t parent, Frame frame) const;
  uint32_t make_node(uint32_t parent, Frame frame);
  void add_index(uint32_t slots);

  Mapping node_memory_;
  Node* nodes_ = nullptr;
  uint32_t max_nodes_;
  uint32_t touched_nodes_ = 0;
  std::atomic<uint32_t> next_node_{1};
  // Newest last. While grow() moves the nodes into a new one, those before it are searched too.
  Index indexes_[kMaxIndexes];
  std::atomic<int> index_count_{0};
  std::atomic<int> oldest_in_use_{0};
};

}  // namespace hearth::capture
