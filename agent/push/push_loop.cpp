#include "push/push_loop.h"

#include <pthread.h>

#include <utility>

#include "base/scoped_signal_mask.h"
#include "push/push_work.h"

namespace hearth::push {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLastMoment(500);
constexpr milliseconds kToEnd(200);  // time to finish after an interruption

}  // namespace

PushLoop::PushLoop(options::PushTarget target, std::string store, Callbacks callbacks, Patience patience,
                   int64_t first_wait_ns)
    : work_(std::make_shared<PushWork>(std::move(target), std::move(store), std::move(callbacks), patience,
                                       first_wait_ns)) {
  ScopedSignalMask blocked;
  thread_ = std::thread([work = work_] {
    pthread_setname_np(pthread_self(), "hearth push");
    work->run();
  });
}

void PushLoop::finish() {
  if (!thread_.joinable()) return;
  bool is_failing = work_->is_failing();
  work_->end();
  bool has_ended = work_->has_ended_within(is_failing ? milliseconds(0) : kLastMoment);
  if (!has_ended) {
    work_->interrupt();
    has_ended = work_->has_ended_within(kToEnd);
  }
  if (has_ended)
    thread_.join();
  else
    thread_.detach();
}

void PushLoop::window_written(const std::string& name) {
  work_->window_written(name);
}

std::string PushLoop::status() const {
  return work_->status();
}

int64_t PushLoop::cpu_ns() const {
  return work_->cpu_ns();
}

}  // namespace hearth::push
