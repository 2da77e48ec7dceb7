// What the agent knows of its control server, which lives in a room above (http).
#pragma once

#include <string>

#include "session/options.h"

namespace hearth::session {

// Calls come on any thread, attached or not, without the agent's lock: a server that stops waits for its requests, and
// those may wait for the lock.
class Control {
 public:
  virtual ~Control() = default;

  struct Serving {
    std::string text;     // where it listens; for everybody
    std::string secret;   // how to get in; for who asked, never for a log
    bool is_new = false;  // it was not listening before
  };
  // Listens at options.http. Where it listens there already, only tells so. Throws Error; then nothing has changed.
  virtual Serving serve(const Options& options) = 0;

  // Says what was stopped. Throws Error when nothing was listening.
  virtual std::string stop() = 0;

  // At the JVM's end. Takes no more requests, and lets go what waits. Throws nothing.
  virtual void interrupt() = 0;
  // After that, and when what was to be written is: stops, if there is anything to stop, and waits no longer than a
  // moment for a request that computes. Throws nothing.
  virtual void end() = 0;
};

}  // namespace hearth::session
