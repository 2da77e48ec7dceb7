// The signal that all counters of the process share, and what its handler sees.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/owned.h"
#include "events/handlers/counter_handler.h"
#include "events/profiling_signal.h"

namespace hearth::events {

// Any thread, outside signals.
class CounterSignal {
 public:
  static CounterSignal& shared();

  // Begins the use by one more source; the first takes the signal, `chosen` if it is not 0. Throws Error where there is
  // none, or no memory.
  void begin(int chosen);
  // Ends a source's use; all its threads are removed, and no handler uses them any more.
  void end();
  int number() const { return signal_.number(); }

  // Shows the thread's counter, whose group and fd are set, to the handler. False: the thread has as many as a group
  // may have.
  bool add(CounterThread* thread, int tid);
  void remove(CounterThread* thread);
  // Returns when no handler uses the sampling any more.
  void mute(CounterSampling* sampling);

 private:
  std::mutex mutex_;
  int users_ = 0;
  ProfilingSignal signal_;
  Mapping by_fd_;
  CounterRoom room_;
  std::unordered_map<int, std::weak_ptr<CounterGroup>> groups_;  // by thread
};

}  // namespace hearth::events
