// All stacks of a session as one tree: a stack is the id of its innermost node. Nodes are interned by (parent, frame),
// compared and not only hashed. child() is signal safe and lock free; grow() and the destructor are for one ordinary
// thread.
//
// The tree is an array of words. An id is the index of a node's word, which has the number of its frame. A child that
// is created right after its parent follows it directly; any other begins a run, and the word before it has its
// parent's id. So a stack without a known prefix is one run of 4 bytes a frame.
//
//   stacks, in this order:  main;run;parse   main;run;write;copy
//
//   index     0        1            2       3      4       5            6        7
//   word    unused   parent: 0    main     run   parse   parent: 3    write    copy
//                    └─ begins a run ─────────────────┘  └─ begins a run ─────────┘
//
// Invariant: a word is written once, by the thread that reserved it by next_word_, and read as frame 0 (none) before
// that. A node's parent is the word before it, or is named there: so the parent's id is always smaller.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/owned.h"
#include "capture/frame.h"
#include "capture/store/frame_table.h"
#include "capture/store/signal_index.h"

namespace hearth::capture {

class StackTree {
 public:
  static constexpr uint32_t kRoot = 0;
  static constexpr uint32_t kFull = UINT32_MAX;

  // At most `max_words` words of 4 bytes, fewer than 2^31, and kMaxFrames different frames of 16 bytes. Address space
  // is reserved; memory is taken as it fills.
  static constexpr uint32_t kMaxFrames = 1 << 22;
  explicit StackTree(uint32_t max_words);

  // False: there was no memory, and no stack can be stored.
  bool ok() const { return max_words_ > 0 && index_.ok() && frames_.ok(); }

  // Returns the node of `frame` under `parent`, and creates it if necessary. kFull: no memory; the caller counts the
  // weight as lost. `is_new`: on entry, whether the caller's last call created `parent`, so that it has no children; on
  // return, whether this node was created.
  uint32_t child(uint32_t parent, Frame frame, bool* is_new);
  uint32_t child(uint32_t parent, Frame frame) {
    bool is_new = false;
    return child(parent, frame, &is_new);
  }

  // Allocates ahead of the signals: a larger index when the newest fills up, and mapped pages for the next nodes. Call
  // it often.
  void grow();

  // `id`: a node, not the root.
  Frame frame(uint32_t id) const { return frames_.frame(frame_number(id)); }
  uint32_t frame_number(uint32_t id) const { return word(id); }  // equal for equal frames
  uint32_t parent(uint32_t id) const {
    uint32_t before = word(id - 1);
    return (before & kIsParent) != 0 ? before & ~kIsParent : id - 1;
  }

  // For a number below id_end(): true if it is a node that follows a word with its parent's id, or its parent. The root
  // is neither.
  bool begins_run(uint32_t id) const { return is_node(id) && (word(id - 1) & kIsParent) != 0; }
  bool continues_run(uint32_t id) const { return is_node(id) && (word(id - 1) & kIsParent) == 0; }

  // Prefetches the memory of a node that will be read soon.
  void prefetch(uint32_t id) const { __builtin_prefetch(&words_[id]); }

  // Returns a bound above all ids; not every number below it is one.
  uint32_t id_end() const;
  uint32_t node_count() const;

  // Visits the reserved memory, for measurements.
  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    visit(memory_);
    frames_.visit_memory(visit);
    index_.visit_memory(visit);
  }

 private:
  static constexpr uint32_t kIsParent = 1U << 31;  // flags a word with the id of the next one's parent

  uint32_t word(uint32_t at) const { return words_[at].load(std::memory_order_acquire); }
  bool is_node(uint32_t id) const {
    uint32_t number = word(id);
    return id > 1 && number != FrameTable::kNone && (number & kIsParent) == 0;
  }
  bool is_next(uint32_t parent, Frame frame) const;
  uint32_t extend_run(uint32_t parent, uint32_t number);
  uint32_t begin_run(uint32_t parent, uint32_t number);

  Mapping memory_;
  std::atomic<uint32_t>* words_ = nullptr;
  uint32_t max_words_;
  uint32_t touched_words_ = 0;
  std::atomic<uint32_t> next_word_{1};
  std::atomic<uint32_t> runs_{0};
  FrameTable frames_;
  SignalIndex index_;  // nodes that begin a run
};

}  // namespace hearth::capture
