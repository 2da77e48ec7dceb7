// Which of the sampled objects still live: each is followed by a weak reference. Thread safe; not signal safe.
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
  };

  explicit LiveObjects(size_t most = kMost) : most_(most) {}
  LiveObjects(const LiveObjects&) = delete;
  LiveObjects& operator=(const LiveObjects&) = delete;

  // On the thread that allocated it. When there are too many, every other one is let go at random, and those that stay
  // and those that come stand for twice as much: nothing is missed on the whole.
  void add(JNIEnv* env, jobject object, const Object& what);

  // Those that the last collection left.
  std::vector<Object> living(JNIEnv* env);

  // Lets all go.
  void clear(JNIEnv* env);

  // One of so many sampled objects is followed.
  uint32_t one_of() const;

 private:
  struct Followed {
    jweak reference;
    Object object;
  };
  template <typename Wanted>
  void keep_if(JNIEnv* env, Wanted wanted);
  bool draw();

  const size_t most_;
  mutable std::mutex mutex_;
  std::vector<Followed> followed_;
  size_t look_at_ = 0;  // when there are so many, the dead are looked for
  uint32_t one_of_ = 1;
  std::minstd_rand random_;
};

}  // namespace hearth::events
