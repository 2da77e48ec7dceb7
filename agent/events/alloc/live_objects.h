// Which of the sampled objects still live: each is followed by a weak reference. Thread safe; not signal safe. The JVM
// may suspend a thread for as long as somebody likes in any call of JNI: none is made under the lock, so that whoever
// allocates meanwhile goes on.
#pragma once

#include <jni.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <vector>

namespace hearth::events {

class LiveObjects {
 public:
  static constexpr size_t kMost = 1 << 16;  // followed at one time: 3 MB, and a weak reference of the JVM's each

  // A sampled object, and what it stands for.
  struct Object {
    uint32_t thread = 0;  // as in Sample
    uint32_t stack = 0;
    int64_t bytes = 0;
    double objects = 0;
    uint64_t collections = 0;  // how many the session had seen when it was allocated
    uint8_t size_class = 0;    // 0: that does not matter
    uint16_t labels = 0;       // as in Sample
    uint16_t span = 0;         // the same
  };

  explicit LiveObjects(size_t most = kMost) : most_(most) {}
  LiveObjects(const LiveObjects&) = delete;
  LiveObjects& operator=(const LiveObjects&) = delete;

  // On the thread that allocated it. When there are too many, those that stand for less bytes than a threshold are let
  // go at random, each with the chance that it lacks, and those that stay stand for the threshold: nothing is missed on
  // the whole, and nothing large at all.
  void add(JNIEnv* env, jobject object, const Object& what);

  // Those that the last collection left.
  std::vector<Object> living(JNIEnv* env);

  // Lets all go, those too that come later. A thread that looks for the dead meanwhile does it when it is done.
  void clear(JNIEnv* env);

  size_t bytes() const;  // of its own memory
  // Bytes; 0: all are followed.
  int64_t threshold() const;
  // So many were not followed, for want of memory, or as the thread that was looking for the dead was suspended.
  uint64_t missed() const;

 private:
  struct Followed {
    jweak reference;
    Object object;
  };
  // What a thread tests outside of the lock. Until it is done nothing that it tests is deleted.
  struct Look {
    std::vector<Followed> seen;
    std::vector<bool> died;
    bool sweeps = false;      // it will take the dead out: one thread at a time
    bool makes_room = false;  // and of the others some, when they are many
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
  std::vector<jweak> dead_;  // to be deleted by the last one that looks
  int looking_ = 0;
  bool is_swept_ = false;
  bool is_closed_ = false;
  size_t look_at_ = 0;  // when there are so many, the dead are looked for
  int64_t threshold_ = 0;
  uint64_t missed_ = 0;
  std::minstd_rand random_;
};

}  // namespace hearth::events
