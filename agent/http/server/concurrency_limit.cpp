#include "http/server/concurrency_limit.h"

#include "http/server/message.h"

namespace hearth::http {
namespace {

constexpr std::chrono::milliseconds kCancellationPoll{20};

}  // namespace

void ConcurrencyLimit::acquire(CancellationToken* cancellation, Wait wait) {
  bool is_patient = wait == Wait::kUntilFree;
  Clock::time_point begin = Clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  if (taken_ >= most_ && waiting_ >= most_waiting_ && !is_patient)
    throw busy("too many requests make profiles already", "try again when one has ended", 5);
  waiting_++;
  while (taken_ >= most_) {
    wake_.wait_for(lock, kCancellationPoll);
    bool is_cancelled = cancellation->is_cancelled();
    if (taken_ < most_ && !is_cancelled) break;
    if (!is_cancelled && (is_patient || Clock::now() - begin < patience_)) continue;
    waiting_--;
    if (is_cancelled) throw Refusal(503, "interrupted", "the server stops, or the client has gone");
    throw busy("other requests make profiles, and take long", "try again when one has ended", 5);
  }
  waiting_--;
  taken_++;
}

void ConcurrencyLimit::release() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    taken_--;
  }
  wake_.notify_one();
}

}  // namespace hearth::http
