// What garbage collection costs between start() and stop(), as often as these come: how often the JVM stops for it, for
// how long, and the CPU time that it takes. One thread at a time; one at work a process.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <memory>

#include "events/vm/collection_events.h"

namespace hearth::events {

class CollectionCost {
 public:
  struct Figures {
    uint64_t pauses = 0;   // of the whole JVM; a concurrent collection has several
    int64_t pause_ns = 0;  // all of them together
    int64_t cpu_ns = 0;    // of the collector's own threads, and of the JVM's while it pauses
    int64_t process_cpu_ns = 0;
  };

  CollectionCost() = default;
  CollectionCost(const CollectionCost&) = delete;
  CollectionCost& operator=(const CollectionCost&) = delete;
  ~CollectionCost() { stop(); }

  // A JVM that tells nothing of its collections is no error: then there are no pauses.
  void start(JavaVM* java_vm);
  void stop();
  Figures figures() const;
  static uint64_t pauses_so_far();  // that any has seen; any thread
  static int64_t last_pause_ns();   // when the last of these ended (CLOCK_MONOTONIC); any thread

 private:
  std::unique_ptr<CollectionEvents> events_;
  bool runs_ = false;
  int64_t threads_cpu_before_ns_ = 0;
  Figures before_;  // of the JVM when it was started
  Figures last_;    // until it was stopped
};

}  // namespace hearth::events
