// Garbage collections on request. A JVM that ends stops its collector's threads before it posts VMDeath: with ZGC and
// Shenandoah ForceGarbageCollection never returns from then on. So it runs on a thread of its own, for which the caller
// waits only as long as the JVM lives.
#pragma once

#include <jvmti.h>

#include <condition_variable>
#include <functional>
#include <mutex>

namespace hearth::events {

class ForcedCollections {
 public:
  // Never destroyed: a thread may be inside a collection when the process exits.
  static ForcedCollections& instance();

  // `own_thread` is called on each thread created here, at its begin and before its end.
  using OwnThread = std::function<void(int tid, bool begins)>;
  void enter(JavaVM* java_vm, OwnThread own_thread);

  // Any thread. True: the collection has finished. False: the JVM ends, or no thread could be created.
  bool collect();

  // At VMDeath: no further collections are requested, and waiting calls of collect() return.
  void end();

 private:
  enum class Outcome { kPending, kFailed, kFinished };
  void run(Outcome* outcome);

  std::mutex mutex_;  // protects all members below, and the outcomes
  std::condition_variable changed_;
  JavaVM* java_vm_ = nullptr;
  OwnThread own_thread_;
  bool has_ended_ = false;
};

}  // namespace hearth::events
