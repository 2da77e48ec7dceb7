// Objects whose references a search has yet to follow, each held by a local reference. Breadth first, so that paths are
// short, up to a number of objects; beyond it depth first, so that few more are held. Not thread safe.
#pragma once

#include <jni.h>

#include <cstddef>
#include <cstdint>
#include <deque>

namespace hearth::holders {

class Frontier {
 public:
  // -XX:MaxJNILocalCapacity is 65,536 by default. The roots of the collector contain them, so each costs its pauses.
  static constexpr size_t kBroad = 16'384, kMost = 2 * kBroad;

  struct Object {
    jobject reference;
    uint32_t node;  // of the tree
    jint next = 0;  // element of an array that is to be followed next
  };

  explicit Frontier(size_t broad = kBroad, size_t most = kMost) : broad_(broad), most_(most) {}

  bool empty() const { return objects_.empty(); }
  size_t size() const { return objects_.size(); }
  bool is_full() const { return objects_.size() >= most_; }
  // Whether one object is to be followed in small parts.
  bool is_deep() const { return objects_.size() >= broad_; }
  void add(const Object& object) { objects_.push_back(object); }
  // The next to follow. An object that is not through comes back by put_back(), before its children are added.
  Object take();
  void put_back(const Object& object);

 private:
  const size_t broad_, most_;
  bool takes_last_ = false;
  std::deque<Object> objects_;
};

}  // namespace hearth::holders
