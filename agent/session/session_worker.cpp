#include "session/session_worker.h"

#include <pthread.h>

#include <ctime>
#include <system_error>
#include <utility>

#include "base/clocks.h"
#include "base/error.h"
#include "base/formatted.h"
#include "capture/recorder.h"
#include "events/handlers/current_tid.h"

namespace hearth::session {

void SessionWorker::start(std::vector<Task> tasks, Hooks hooks) {
  tasks_ = std::move(tasks);
  hooks_ = std::move(hooks);
  try {
    thread_.start([this] { work(); });
  } catch (const std::system_error& error) {
    throw Error(formatted("no thread can be made ({})", error.what()),
                "raise the limit on threads (ulimit -u, pids cgroup)");
  }
}

void SessionWorker::run_due_tasks() {
  uint64_t now = capture::now_ns();
  for (Task& task : tasks_)
    if (now >= task.due_ns) task.due_ns = task.run(now);
  cpu_ns_ = clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

void SessionWorker::work() {
  pthread_setname_np(pthread_self(), "hearth");
  hooks_.on_begin(events::current_tid());
  for (;;) {
    try {
      run_due_tasks();
    } catch (const std::exception& error) {
      // Out of memory or threads. Samples that are lost until the next round are counted as lost.
      log_->debug(error.what());
    }
    std::unique_lock<std::mutex> lock(mutex_);
    if (wake_.wait_for(lock, period_, [this] { return ends_; })) break;
  }
  hooks_.on_end(events::current_tid());
}

// The worker attaches to the JVM to list threads. That allocates, and with a full heap waits for a collection, which a
// JVM that ends does not make any more.
bool SessionWorker::end(const std::atomic<bool>& vm_ends) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
  }
  wake_.notify_all();
  constexpr std::chrono::seconds kPatience(2);
  return thread_.join(vm_ends, kPatience);
}

}  // namespace hearth::session
