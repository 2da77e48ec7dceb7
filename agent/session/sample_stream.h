// Receives the samples of a session one by one, as they are drained from the ring.
#pragma once

#include <cstdint>
#include <string>

#include "capture/store/sample_ring.h"

namespace hearth::session {

// A stretch of time of a thread, as the program reports it: CLOCK_MONOTONIC in nanoseconds.
struct ReportedSpan {
  int tid = 0;
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  std::string tag{};  // "": none
};

// An event of a type and with content of the program's own.
struct ReportedEvent {
  int tid = 0;
  int64_t at_ns = 0;  // CLOCK_MONOTONIC
  std::string type{};
  std::string content{};
};

class SampleStream {
 public:
  virtual ~SampleStream() = default;
  // `times`: how many samples it represents. Called under the lock of the session's counts.
  virtual void add(const capture::Sample& sample, int64_t times) = 0;
  // Any thread, until end().
  virtual void add_span(ReportedSpan span) = 0;
  virtual void add_event(ReportedEvent event) = 0;
  // Writes what is due. On the session's own thread, in each of its rounds.
  virtual void write_due(uint64_t now_ns) = 0;
  // Writes everything so far.
  virtual void flush() = 0;
  // Called after the session's last sample. add() comes no more.
  virtual void end() = 0;
  // The file that it writes, and the reason why it wrote no more; "": it writes.
  virtual const std::string& path() const = 0;
  virtual std::string trouble() const = 0;
};

}  // namespace hearth::session
