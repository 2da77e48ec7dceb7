// SIGSEGV and SIGBUS while profiling: a fault of our own loads and guarded calls is undone, every other goes to whoever
// was there before (HotSpot needs its own faults: null checks, safepoint polls, stack banging).
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

  // False when others have covered our handlers so often that there is none left; then nothing has changed.
  bool install();
  // Puts the handlers before ours back, unless somebody has put theirs over ours: then ours stays and passes everything
  // on.
  void remove();

 private:
  int level_ = -1;  // which of our handlers; -1: none
};

// The guard of this thread, cleared: see safe_load.cpp. For the fault handler only.
uint64_t take_guard_sp();

}  // namespace hearth::capture
