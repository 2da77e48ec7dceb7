// Perf events of threads, as the sources of CPU time and of counters open them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "base/owned.h"
#include "events/cpu/perf_counter.h"
#include "events/event_source.h"

namespace hearth::events {

// Opens the events of one source.
class PerfOpener {
 public:
  PerfOpener(PerfCounter counter, const PerfChoice& choice) : counter_(std::move(counter)), choice_(choice) {}

  // Throws Error with the reason and the remedy where this process gets no such event.
  void probe(int64_t period) const;

  struct Opened {
    UniqueFd fd;
    Mapping kernel_ring;  // empty: no kernel frames
  };
  // Opens the event of a thread, disabled, which sends `signal` to it. None: the thread has ended, or a resource is
  // exhausted, which trouble() reports.
  std::optional<Opened> open(int tid, int64_t period, int signal);

  const std::string& trouble() const { return trouble_; }

 private:
  int open_event(int tid, int64_t period) const;
  std::string remedy_for(int error) const;

  const PerfCounter counter_;
  const PerfChoice choice_;
  int highest_fd_ = 0;
  std::string trouble_;
};

// Enables the event, and ends its signals. Another CPU may still have to send the signal of an overflow
// (kernel/events/core.c, perf_pending_irq), and close() does not wait for it while the ring is mapped. Sent after the
// signal is released, it would end the process. Without O_ASYNC nothing is sent any more.
void enable_event(int fd);
void end_event(int fd);

// A thread that another one detaches, as one of hearth's commands, may be in its handler. Its state and ring stay until
// as many more threads have gone.
template <typename Thread>
class RetiredThreads {
 public:
  void add(std::unique_ptr<Thread> thread) {
    constexpr size_t kKept = 64;
    threads_.push_back(std::move(thread));
    if (threads_.size() > kKept && !keeps_all_) threads_.pop_front();
  }
  // From now on all stay: other sources' signals still run the handler.
  void keep_all() { keeps_all_ = true; }
  void clear() { threads_.clear(); }

 private:
  std::deque<std::unique_ptr<Thread>> threads_;
  bool keeps_all_ = false;
};

}  // namespace hearth::events
