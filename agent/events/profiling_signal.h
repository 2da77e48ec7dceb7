// An unused signal that has our handler while it is held.
#pragma once

#include <csignal>

#include "base/error.h"
#include "capture/signal_safe.h"

namespace hearth::events {

// All signals are taken: no other engine would find one, either.
class NoFreeSignal : public Error {
 public:
  using Error::Error;
};

class ProfilingSignal {
 public:
  using Handler = capture::SignalHandler;
  ProfilingSignal() = default;
  ProfilingSignal(const ProfilingSignal&) = delete;
  ProfilingSignal& operator=(const ProfilingSignal&) = delete;
  ~ProfilingSignal() { release(); }

  // Takes the first of SIGPROF, SIGVTALRM, SIGSTKFLT, SIGPWR with the default disposition. These are not queued, so a
  // slow handler never fills the signal queue. Throws NoFreeSignal if all are taken.
  void take(Handler handler);
  // Takes `chosen` if it is not 0. Throws Error if that has a handler.
  void take(Handler handler, int chosen);
  // Takes exactly `number`. Throws Error with this remedy if it is in use.
  void take_only(int number, Handler handler, const char* remedy);
  // Drops pending signals, then restores the previous disposition. Changes nothing if another library has taken the
  // signal meanwhile.
  void release();

  int number() const { return number_; }
  bool is_held() const;  // also false if another library has taken the signal meanwhile

 private:
  bool try_take(int number, Handler handler);

  int number_ = 0;
  Handler handler_;
  struct sigaction before_ {};
};

}  // namespace hearth::events
