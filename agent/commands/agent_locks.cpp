#include "commands/agent_locks.h"

#include <pthread.h>

#include <ctime>

#include "base/formatted.h"

namespace hearth::commands {

AgentLocks::Lock AgentLocks::lock_to_end(std::mutex* mutex) {
  constexpr int64_t kPatienceS = 15;
  if (!vm_->ends) return Lock(*mutex);
  timespec deadline{};
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += has_given_up_ ? 0 : kPatienceS;
  if (pthread_mutex_timedlock(mutex->native_handle(), &deadline) == 0) return {*mutex, std::adopt_lock};
  if (!has_given_up_.exchange(true))
    log_->error(formatted("the JVM ends, but a command has not finished for {} s: sessions that run are not written",
                          kPatienceS));
  return {};
}

}  // namespace hearth::commands
