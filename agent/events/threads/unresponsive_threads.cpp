#include "events/threads/unresponsive_threads.h"

#include "base/formatted.h"
#include "events/threads/thread_follower.h"

namespace hearth::events {

void UnresponsiveThreads::look_at(uint32_t serial, int tid, int signal, const TaskFiles& files) {
  TaskFiles::Signals signals = files.signals_of(tid);
  const char* why = "got it";
  if ((signals.pending & bit_of(signal)) != 0) why = "has it pending";
  if ((signals.blocked & bit_of(signal)) != 0) why = "blocks it";
  reasons_[serial] = formatted("thread '{}' ({}), {}", name_of_task(tid), tid, why);
}

void UnresponsiveThreads::left(uint32_t serial) {
  auto why = reasons_.find(serial);
  if (why == reasons_.end()) return;
  if (count_++ == 0) first_ = why->second;
  reasons_.erase(why);
}

std::string UnresponsiveThreads::trouble(uint32_t refused) const {
  if (count_ == 0) return "";
  return formatted(
      "{} threads did not answer the wall clock's signal; the last time of each is counted at its previous stack, "
      "if there is one. The first: {} ({} signals were refused)",
      count_, first_, refused);
}

}  // namespace hearth::events
