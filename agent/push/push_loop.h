// Pushes the windows of a store as they are written, on its own thread. Windows that cannot be pushed wait in the
// store; memory holds at most one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "options/push_target.h"
#include "push/back_off.h"
#include "push/connection.h"

namespace hearth::push {

class PushWork;

class PushLoop {
 public:
  // May be called after the loop is destroyed, by its thread that is still ending.
  struct Callbacks {
    std::function<void()> thread_begins, thread_ends;  // on that thread
    std::function<void(const std::string& line)> log;
  };
  // Throws Error if the store cannot be read or written, or the token cannot be read. `first_wait_ns`: see BackOff.
  PushLoop(options::PushTarget target, std::string store, Callbacks callbacks, Patience patience = {},
           int64_t first_wait_ns = BackOff::kFirstNs);
  PushLoop(const PushLoop&) = delete;
  PushLoop& operator=(const PushLoop&) = delete;
  ~PushLoop() { finish(); }
  // Ends the loop, once. It gets a moment to push the last window, unless the server did not reply before.
  void finish();

  // Any thread.
  void window_written(const std::string& name);  // name of its file
  std::string status() const;
  int64_t cpu_ns() const;  // of its thread, as of the last window

 private:
  const std::shared_ptr<PushWork> work_;
  std::thread thread_;
};

}  // namespace hearth::push
