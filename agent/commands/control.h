// The agent's view of its control server, which agent/http implements.
#pragma once

#include <string>

#include "options/options.h"

namespace hearth::commands {

// Calls come on any thread, attached or not, without the agent's lock: a server that stops waits for its requests, and
// those may wait for the lock.
class Control {
 public:
  virtual ~Control() = default;

  struct Serving {
    std::string text;     // where it listens; may be logged
    std::string secret;   // how to get access; for the caller alone, never for a log
    bool is_new = false;  // it was not listening before
  };
  // Listens at options.http, or reports that it does already. Throws Error; then nothing has changed.
  virtual Serving serve(const options::Options& options) = 0;

  // Stops listening. Returns a message. Throws Error when nothing was listening.
  virtual std::string stop() = 0;

  // At the JVM's end: accepts no more requests, and cancels those that wait. Throws nothing.
  virtual void interrupt() = 0;
  // After interrupt(), when all profiles are written: stops the server if it runs, and waits only briefly for requests
  // that compute. Throws nothing.
  virtual void end() = 0;
};

}  // namespace hearth::commands
