// Limits how many requests wait for a profile at one time, so that threads stay free for the others.
#pragma once

#include <atomic>

#include "http/server/message.h"

namespace hearth::http {

class LongRequests {
 public:
  static constexpr int kMost = 16;

  // Held for its scope. Throws Refusal 503 if there is none.
  class Permit {
   public:
    explicit Permit(LongRequests* all) : all_(all) {
      if (all->taken_.fetch_add(1) < kMost) return;
      all->taken_--;
      throw busy("too many requests wait for profiles already", "try again when one has ended", 5);
    }
    Permit(const Permit&) = delete;
    Permit& operator=(const Permit&) = delete;
    ~Permit() { all_->taken_--; }

   private:
    LongRequests* all_;
  };

 private:
  std::atomic<int> taken_{0};
};

}  // namespace hearth::http
