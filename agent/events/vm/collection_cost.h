// Cost of garbage collection between start() and stop(), which may alternate repeatedly: number and duration of pauses,
// and CPU time. One thread at a time; one running instance in a process.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "events/vm/collection_events.h"

namespace hearth::events {

class CollectionCost {
 public:
  struct Figures {
    uint64_t pauses = 0;   // of the whole JVM; a concurrent collection has several
    int64_t pause_ns = 0;  // total
    int64_t cpu_ns = 0;    // of the collector's own threads, and of the JVM's while it pauses
    int64_t process_cpu_ns = 0;
  };

  CollectionCost() = default;
  CollectionCost(const CollectionCost&) = delete;
  CollectionCost& operator=(const CollectionCost&) = delete;
  ~CollectionCost() { stop(); }

  // A JVM without events of its collections is no error: it shows no pauses.
  void start(JavaVM* java_vm);
  void stop();
  Figures figures() const;
  static uint64_t pauses_so_far();  // total of all instances; any thread

  struct Pause {
    uint64_t number;   // among pauses_so_far(), from 1
    int64_t began_ns;  // CLOCK_MONOTONIC
    int64_t duration_ns;
  };
  // The pauses after the first `seen`; of very many the last ones only. Any thread.
  static std::vector<Pause> pauses_after(uint64_t seen);
  static int64_t last_pause_ns();  // end of the last pause (CLOCK_MONOTONIC); any thread

 private:
  std::unique_ptr<CollectionEvents> events_;
  bool runs_ = false;
  int64_t threads_cpu_before_ns_ = 0;
  Figures before_;  // of the JVM at start()
  Figures last_;    // up to stop()
};

}  // namespace hearth::events
