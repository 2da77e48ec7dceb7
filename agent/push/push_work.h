// The work of a PushLoop's thread. It outlives the loop if a name look-up gets no reply.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "options/push_target.h"
#include "push/back_off.h"
#include "push/connection.h"
#include "push/push_loop.h"
#include "push/push_queue.h"
#include "push/window_parts.h"

namespace hearth::push {

class PushWork {
 public:
  PushWork(options::PushTarget target, std::string store, PushLoop::Callbacks callbacks, Patience patience,
           int64_t first_wait_ns);

  void run();  // on the thread, until end()

  // Any other thread.
  void end();
  bool has_ended_within(std::chrono::milliseconds time);
  bool is_failing() const;
  void interrupt() { connection_.interrupt(); }
  void window_written(const std::string& name);
  std::string status() const;
  int64_t cpu_ns() const { return cpu_ns_; }

 private:
  enum class Outcome { kGone, kLost, kWaits };
  bool push_all();
  std::vector<std::string> take_late();
  void turns();
  void begin(const store::StoredWindow& window);
  Outcome push(const store::StoredWindow& window);
  Outcome send(const WindowParts& parts, const store::StoredWindow& window);
  Outcome tried(int kind, const std::string& why);
  void went(const store::StoredWindow& window, Outcome outcome);
  // `kind`: the status of a refusal, or kUnread.
  void is_lost(int kind, const std::string& why);
  void is_remarked(const Connection::Reply& reply);
  void failed(const std::string& why);
  bool rest(bool went_well);
  bool ends() const;

  static constexpr int kNoLoss = 0, kUnread = -1;

  const options::PushTarget target_;
  const std::string store_;
  const PushLoop::Callbacks callbacks_;
  PushQueue queue_;
  Connection connection_;
  BackOff back_off_;
  std::string pushing_;         // name of the window being pushed
  size_t gone_ = 0;             // its next part
  int tries_ = 0;               // its failed attempts that may be due to the window
  int64_t retry_after_ns_ = 0;  // requested by the server after a failure
  std::atomic<int64_t> cpu_ns_{0};

  mutable std::mutex mutex_;  // guards the fields below
  std::condition_variable wakes_;
  bool ends_ = false;
  bool has_ended_ = false;
  bool has_news_ = false;
  std::vector<std::string> late_;  // windows written since then that begin before the latest
  std::string latest_written_;
  bool fails_ = false;       // the last attempt failed
  int told_loss_ = kNoLoss;  // kind of the last logged loss
  bool remarks_ = false;     // the server had a remark on the last window, or has one on this one
  bool has_remark_ = false;  // on this one
  uint64_t pushed_ = 0;
  uint64_t lost_ = 0;
  int64_t rejected_ = 0;  // profiles of pushed windows
  std::string last_error_;
};

}  // namespace hearth::push
