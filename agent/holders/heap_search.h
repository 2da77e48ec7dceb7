// A search through the heap of a running program, by its references, without a safepoint: objects may change and move
// meanwhile. On one attached thread, which it leaves to others half of the time.
#pragma once

#include <jvmti.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "holders/class_fields.h"
#include "holders/frontier.h"
#include "holders/holder_path.h"
#include "holders/object_set.h"

namespace hearth::holders {

// An object that is looked for.
struct Target {
  jobject reference;  // local or global, of the caller
  size_t group;       // the search for a group ends when enough of its objects are found
};

class HeapSearch {
 public:
  using Clock = std::chrono::steady_clock;
  enum class End { kFound, kThrough, kObjects, kTime, kStopped };
  struct Until {
    size_t objects;
    Clock::time_point time;
    std::function<bool()> stops;
  };

  // All outlive it. Throws std::bad_alloc, as the other members.
  HeapSearch(jvmtiEnv* jvmti, JNIEnv* env, ClassFields* fields, const std::vector<Target>& targets);
  HeapSearch(const HeapSearch&) = delete;
  HeapSearch& operator=(const HeapSearch&) = delete;
  ~HeapSearch() { clear(); }

  // The target is held by a root itself.
  void found_at_root(size_t target, const std::string& root);
  // Begins paths with an object that a root holds.
  void add_root(jobject object, const std::string& root);
  // Begins paths with the static fields of these classes, in their order. They outlive the search.
  void add_classes(const std::vector<jclass>& classes) {
    classes_.insert(classes_.end(), classes.begin(), classes.end());
  }

  // Follows references until it is through, or as `until` limits it.
  End run(const Until& until);
  // Forgets the objects that it has yet to follow.
  void clear();

  // By target; empty where none was found.
  std::vector<HolderPath> paths() const;
  bool has_found_enough() const { return groups_left_ == 0; }
  size_t objects() const { return met_.size(); }
  // References that were left out, as too many were still to be followed.
  size_t left_out() const { return left_out_; }

 private:
  struct Place {
    uint32_t parent = SearchTree::kNone;
    uint32_t step = 0;
    bool is_found = false;
  };
  struct Group {
    size_t targets = 0, found = 0;
  };

  void follow_next();
  void follow_class(jclass one);
  void follow(Frontier::Object object);
  void follow_array(Frontier::Object object, const ClassInfo& info);
  void meet(jobject child, uint32_t parent, uint32_t step);
  bool keep(jobject child, uint32_t parent, uint32_t step);
  void test(jobject child, uint32_t hash, uint32_t parent, uint32_t step);
  void find(size_t target, uint32_t parent, uint32_t step);
  void clear_exception();

  jvmtiEnv* jvmti_;
  JNIEnv* env_;
  ClassFields* fields_;
  const std::vector<Target>& targets_;
  std::vector<Place> places_;  // by target
  std::vector<Group> groups_;
  size_t groups_left_ = 0;
  std::unordered_multimap<uint32_t, size_t> by_hash_;  // targets
  std::vector<jclass> classes_;
  size_t next_class_ = 0;
  Frontier frontier_;
  ObjectSet met_;
  SearchTree tree_;
  size_t left_out_ = 0;
};

}  // namespace hearth::holders
