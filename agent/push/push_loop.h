// Pushes the windows of a store as they are written, for ever, on a thread of its own. What cannot be pushed waits in
// the store; in memory there is one window at most.
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
  // They may be called after the loop has gone, by its thread that still ends.
  struct Doors {
    std::function<void()> thread_begins, thread_ends;  // on that thread
    std::function<void(const std::string& line)> say;
  };
  // Throws Error where the store cannot be read or written, or the token cannot be read. `first_wait_ns`: of BackOff.
  PushLoop(options::PushTarget target, std::string store, Doors doors, Patience patience = {},
           int64_t first_wait_ns = BackOff::kFirstNs);
  PushLoop(const PushLoop&) = delete;
  PushLoop& operator=(const PushLoop&) = delete;
  ~PushLoop() { finish(); }
  // Ends it, once; it has a moment for what was written last, none where the server did not answer before.
  void finish();

  // Any thread.
  void window_written(const std::string& name);  // of its file
  std::string status() const;
  int64_t cpu_ns() const;  // of its thread, a window ago

 private:
  const std::shared_ptr<PushWork> work_;
  std::thread thread_;
};

}  // namespace hearth::push
