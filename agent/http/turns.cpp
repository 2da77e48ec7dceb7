#include "http/turns.h"

#include "http/message.h"

namespace hearth::http {
namespace {

constexpr std::chrono::milliseconds kLook{20};  // how often one that waits asks whether anybody waits for it

}  // namespace

void Turns::take(Interruption* interruption, Wait wait) {
  bool is_patient = wait == Wait::kToTheEnd;
  Clock::time_point begin = Clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  if (taken_ >= most_ && waiting_ >= most_waiting_ && !is_patient)
    throw busy("too many requests make profiles already", "try again when one has ended", 5);
  waiting_++;
  while (taken_ >= most_) {
    wake_.wait_for(lock, kLook);
    bool is_interrupted = interruption->raised();
    if (taken_ < most_ && !is_interrupted) break;
    if (!is_interrupted && (is_patient || Clock::now() - begin < patience_)) continue;
    waiting_--;
    if (is_interrupted) throw Refusal(503, "interrupted", "the server stops, or the client has gone");
    throw busy("other requests make profiles, and take long", "try again when one has ended", 5);
  }
  waiting_--;
  taken_++;
}

void Turns::give_back() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    taken_--;
  }
  wake_.notify_one();
}

}  // namespace hearth::http
