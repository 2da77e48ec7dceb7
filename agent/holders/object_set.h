// Objects that a search has met, and the way to each. Not thread safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hearth::holders {

// Identity hash codes of objects, 31 bits each: of four million objects one in 500 is taken for another. Tags are
// exact, but the JVM looks at each of them in each collection.
class ObjectSet {
 public:
  // False: it is there already. Throws std::bad_alloc.
  bool add(uint32_t hash);
  size_t size() const { return size_; }

 private:
  bool put(uint32_t entry);
  void grow();

  std::vector<uint32_t> entries_;  // 0: free, else the hash code and kUsed
  size_t size_ = 0;
};

// The tree of a search: how each object was met first. 8 bytes an object.
class SearchTree {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Node {
    uint32_t parent;  // kNone: this is a root
    uint32_t step;    // the caller's number
  };

  // Throws std::bad_alloc.
  uint32_t add(uint32_t parent, uint32_t step) {
    nodes_.push_back({parent, step});
    return static_cast<uint32_t>(nodes_.size() - 1);
  }
  // Steps from the root to the node.
  std::vector<uint32_t> steps_to(uint32_t node) const;

 private:
  std::vector<Node> nodes_;
};

}  // namespace hearth::holders
