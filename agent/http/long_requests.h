// How many requests may wait for a profile at one time, so that there are always threads for the others.
#pragma once

#include <atomic>

#include "http/message.h"

namespace hearth::http {

class LongRequests {
 public:
  static constexpr int kMost = 16;

  // A place, for its scope. Throws Refusal 503 when there is none.
  class Place {
   public:
    explicit Place(LongRequests* all) : all_(all) {
      if (all->taken_.fetch_add(1) < kMost) return;
      all->taken_--;
      throw busy("too many requests wait for profiles already", "try again when one has ended", 5);
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() { all_->taken_--; }

   private:
    LongRequests* all_;
  };

 private:
  std::atomic<int> taken_{0};
};

}  // namespace hearth::http
