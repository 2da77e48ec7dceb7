// A signal that nobody uses, with our handler on it while it is held.
#pragma once

#include <csignal>

#include "base/error.h"
#include "capture/signal_safe.h"

namespace hearth::events {

// All of them are taken: no other engine would find one.
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

  // Takes the first of SIGPROF, SIGVTALRM, SIGSTKFLT, SIGPWR whose disposition is the default one. They are not queued,
  // so a slow handler never fills the signal queue. Throws NoFreeSignal when all are taken.
  void take(Handler handler);
  // Takes exactly `number`. Throws Error when it is in use, with this remedy.
  void take_only(int number, Handler handler, const char* remedy);
  // Whatever is still pending is thrown away before the disposition before comes back. Where somebody has taken the
  // signal over in the meantime it is theirs.
  void release();

  int number() const { return number_; }
  bool is_held() const;  // false also where somebody has taken it over

 private:
  bool try_take(int number, Handler handler);

  int number_ = 0;
  Handler handler_;
  struct sigaction before_ {};
};

}  // namespace hearth::events
