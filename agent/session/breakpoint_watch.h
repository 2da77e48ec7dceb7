// Protects the JVM from a session's breakpoints: the kernel ends a process of which a thread meets a breakpoint while
// it blocks SIGTRAP. Runs on the session's worker.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "events/threads/sigtrap_blocked_threads.h"
#include "session/sample_sources.h"
#include "session/session_notes.h"

namespace hearth::session {

class BreakpointWatch {
 public:
  struct Breakpoints {
    bool are_in_window;                            // begin= or end= is set
    std::function<bool()> remove_from_window;      // false: there are none
    std::function<std::string()> blocking_thread;  // as events::thread_that_blocks_sigtrap()
  };
  // Sources and notes outlive the watch.
  BreakpointWatch(Breakpoints breakpoints, SampleSources* sources, SessionNotes* notes)
      : breakpoints_(std::move(breakpoints)), sources_(sources), notes_(notes) {}

  // Removes all breakpoints, with a note, when a thread blocks SIGTRAP. Returns the time of the next check
  // (CLOCK_MONOTONIC, ns), UINT64_MAX for none. `began_ns`: the session's start.
  uint64_t check(uint64_t now, uint64_t began_ns);

 private:
  const Breakpoints breakpoints_;
  SampleSources* sources_;
  SessionNotes* notes_;
};

}  // namespace hearth::session
