// Turns at work that takes much of the process's memory: so many at one time, and the next ones wait, so that what all
// of them take has a bound. Thread safe.
#pragma once

#include <condition_variable>
#include <mutex>

#include "http/interruption.h"

namespace hearth::http {

class Turns {
 public:
  using Clock = Interruption::Clock;
  // `most` at one time. Of others `waiting` may wait, each for `patience`, so that they do not take all the threads.
  Turns(int most, int waiting, Clock::duration patience) : most_(most), most_waiting_(waiting), patience_(patience) {}

  enum class Wait {
    kForAWhile,
    kToTheEnd,  // however many wait: their number has another bound, and what they have done would be lost
  };
  // For its scope. Throws Refusal 503 where there is no place to wait, the time is over or, while it waits, the
  // interruption is raised.
  class Turn {
   public:
    Turn(Turns* all, Interruption* interruption, Wait wait = Wait::kForAWhile) : all_(all) {
      all_->take(interruption, wait);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() { all_->give_back(); }

   private:
    Turns* all_;
  };

 private:
  void take(Interruption* interruption, Wait wait);
  void give_back();

  const int most_;
  const int most_waiting_;
  const Clock::duration patience_;
  std::mutex mutex_;
  std::condition_variable wake_;
  int taken_ = 0;
  int waiting_ = 0;
};

}  // namespace hearth::http
