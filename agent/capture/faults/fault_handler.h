// Handler of SIGSEGV and SIGBUS while profiling: recovers from faults of our own loads and guarded calls and passes all
// others to the previous handler (HotSpot needs its own faults: null checks, safepoint polls, stack banging).
#pragma once

#include <csignal>
#include <cstdint>

namespace hearth::capture {

// Not thread safe: sessions install and remove one at a time.
class FaultHandler {
 public:
  FaultHandler() = default;
  FaultHandler(const FaultHandler&) = delete;
  FaultHandler& operator=(const FaultHandler&) = delete;
  ~FaultHandler() { remove(); }

  // False, with no change, if others have covered our handlers so often that none is left.
  bool install();
  // Installs another one if others have covered ours since, as a JVM that starts does. As install().
  bool renew();
  // Restores the previous handlers, unless another library has covered ours: then ours stays and passes all faults on.
  void remove();

 private:
  int level_ = -1;  // index of our handler; -1: none
};

// Returns and clears the guard of this thread (safe_load.cpp). For the fault handler only.
uint64_t take_guard_sp();

}  // namespace hearth::capture
