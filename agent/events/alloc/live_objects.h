// Sampled objects that are still alive, each followed by a weak reference. Thread safe; not signal safe. Makes no JNI
// call under its lock: the JVM may suspend a thread in any of them for any time, and others must go on allocating.
#pragma once

#include <jni.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <random>
#include <vector>

namespace hearth::events {

class LiveObjects {
 public:
  static constexpr size_t kMost = 1 << 16;  // followed at a time: 4 MB, and a weak reference of the JVM each

  // A sampled object and its weight.
  struct Object {
    uint32_t thread = 0;  // as in Sample
    uint32_t stack = 0;
    int64_t bytes = 0;
    double objects = 0;
    uint64_t collections = 0;  // of the session when the object was allocated
    uint8_t size_class = 0;    // 0: not used
    uint16_t labels = 0;       // as in Sample
    uint16_t span = 0;         // as in Sample
    uint64_t time_ns = 0;      // CLOCK_MONOTONIC, of the allocation
  };

  explicit LiveObjects(size_t most = kMost) : most_(most) {}
  LiveObjects(const LiveObjects&) = delete;
  LiveObjects& operator=(const LiveObjects&) = delete;

  // Call it on the allocating thread. If there are too many objects, each with a weight below a threshold is kept with
  // probability weight / threshold and gets the threshold as weight. So sums stay right on average, and no large object
  // is dropped.
  void add(JNIEnv* env, jobject object, const Object& what);

  // Returns the objects that survived the last collection.
  std::vector<Object> living(JNIEnv* env);

  // A living object with a local reference of this thread, which the caller deletes.
  struct Held {
    Object object;
    jobject reference;
  };
  // Returns those that `wants` chooses.
  std::vector<Held> hold(JNIEnv* env, const std::function<bool(const Object&)>& wants);

  // Drops all objects, and those that are added later. A thread that looks for dead ones meanwhile deletes them at its
  // end.
  void clear(JNIEnv* env);

  size_t bytes() const;  // of its own memory
  // In bytes; 0: all objects are followed.
  int64_t threshold() const;
  // Number of objects that were not followed: memory was exhausted, or the sweeping thread was suspended.
  uint64_t missed() const;

 private:
  struct Followed {
    jweak reference;
    Object object;
  };
  // References that a thread tests outside of the lock. None of them is deleted before it is done.
  struct Look {
    std::vector<Followed> seen;
    std::vector<bool> died;
    bool sweeps = false;      // removes the dead: one thread at a time
    bool makes_room = false;  // and drops some of the others if there are many
  };
  Look begin_look(bool sweeps);  // under the lock; throws std::bad_alloc
  void test(JNIEnv* env, Look* look);
  void end_look(JNIEnv* env, const Look& look);

  bool wants_sweep() const;
  void sweep(JNIEnv* env);
  void take_out(const Look& look);
  void make_room();
  void thin();
  bool draw(Object* object);
  bool keep(Followed one);
  bool push(const Followed& one);

  const size_t most_;
  mutable std::mutex mutex_;
  std::vector<Followed> followed_;
  std::vector<jweak> dead_;  // deleted by the last thread that looks
  int looking_ = 0;
  bool is_swept_ = false;
  bool is_closed_ = false;
  size_t look_at_ = 0;  // number of objects that starts the next sweep
  int64_t threshold_ = 0;
  uint64_t missed_ = 0;
  std::minstd_rand random_;
};

}  // namespace hearth::events
