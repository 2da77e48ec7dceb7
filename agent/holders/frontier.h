// Objects whose references a search has yet to follow, each held by a local reference. Each root has a branch of its
// own, and branches are followed in rotation, so that a large one does not keep the search from the others. A branch is
// followed breadth first, so that paths are short, while few objects are held; else depth first, so that few more are.
// Not thread safe.
#pragma once

#include <jni.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace hearth::holders {

struct ClassInfo;

class Frontier {
 public:
  // Below -XX:MaxJNILocalCapacity, 65,536 by default. The collector looks at each in its pauses.
  static constexpr size_t kBroad = 16'384, kMost = 3 * kBroad;
  static constexpr int kInARow = 64;  // objects that a branch has in a row

  struct Object {
    jobject reference;
    uint32_t node;                   // of the tree
    jint next = 0;                   // element of an array that is to be followed next
    const ClassInfo* its = nullptr;  // class
  };

  explicit Frontier(size_t broad = kBroad, size_t most = kMost) : broad_(broad), most_(most) {}

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  bool is_full() const { return size_ >= most_; }
  // Whether one object is to be followed in small parts.
  bool is_deep() const { return size_ >= broad_; }

  // Begins a branch.
  void add_root(const Object& object);
  // To the branch of the object that was taken last.
  void add(const Object& object);
  // The next to follow. An object that is not through comes back by put_back(), before its children are added.
  Object take();
  void put_back(const Object& object);

 private:
  // A queue that is a stack as well: objects from `first` on are in it.
  struct Branch {
    std::vector<Object> objects;
    size_t first = 0;
    bool empty() const { return first == objects.size(); }
  };
  void next_branch();

  const size_t broad_, most_;
  std::deque<Branch> branches_;  // the current one first
  size_t size_ = 0;
  int left_ = kInARow;  // objects until the next branch follows
  bool takes_last_ = false;
};

}  // namespace hearth::holders
