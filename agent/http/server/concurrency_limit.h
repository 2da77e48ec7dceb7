// Limits how many threads do work that needs much memory at one time, so that the total has a bound. Others wait.
// Thread safe.
#pragma once

#include <condition_variable>
#include <mutex>

#include "http/server/cancellation_token.h"

namespace hearth::http {

class ConcurrencyLimit {
 public:
  using Clock = CancellationToken::Clock;
  // At most `most` permits at one time. At most `waiting` threads wait, each for `patience`, so that some threads stay
  // free for other requests.
  ConcurrencyLimit(int most, int waiting, Clock::duration patience)
      : most_(most), most_waiting_(waiting), patience_(patience) {}

  enum class Wait {
    kWithTimeout,
    kUntilFree,  // with any number of waiting threads: LongRequests bounds them, and their work would be lost
  };
  // Held for its scope. Throws Refusal 503 if too many threads wait, the time is over or the request is cancelled
  // while it waits.
  class Permit {
   public:
    Permit(ConcurrencyLimit* limit, CancellationToken* cancellation, Wait wait = Wait::kWithTimeout) : limit_(limit) {
      limit_->acquire(cancellation, wait);
    }
    Permit(const Permit&) = delete;
    Permit& operator=(const Permit&) = delete;
    ~Permit() { limit_->release(); }

   private:
    ConcurrencyLimit* limit_;
  };

 private:
  void acquire(CancellationToken* cancellation, Wait wait);
  void release();

  const int most_;
  const int most_waiting_;
  const Clock::duration patience_;
  std::mutex mutex_;
  std::condition_variable wake_;
  int taken_ = 0;
  int waiting_ = 0;
};

}  // namespace hearth::http
