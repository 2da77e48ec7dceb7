// Figures of allocations in addition to samples: bytes by thread and the cost of garbage collections.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "events/vm/collection_cost.h"
#include "session/counting/allocation_account.h"

namespace hearth::session {

class AllocationTotals {
 public:
  // `filter` outlives the totals. `living` lists the Java threads, as in AllocationAccount.
  AllocationTotals(const options::ThreadFilter* filter, AllocationAccount::Lister living)
      : living_(std::move(living)), account_(filter) {}

  void begin_collections(JavaVM* java_vm) { collections_.start(java_vm); }
  void begin_threads() { account_.begin(living_); }
  // Ends both.
  void end();

  // Events of the JVM, also before begin_threads(). Thread safe.
  void thread_started(int tid) { account_.thread_started(tid); }
  void thread_ended(const LivingThread& thread) { account_.thread_ended(thread); }

  // Bytes by "NAME tid=TID", by the JVM's own counters. Any thread.
  std::map<std::string, uint64_t> by_thread() const;
  events::CollectionCost::Figures collections() const { return collections_.figures(); }

 private:
  const AllocationAccount::Lister living_;
  AllocationAccount account_;
  events::CollectionCost collections_;
  mutable std::mutex by_thread_mutex_;  // a status asks while a profile is built
};

}  // namespace hearth::session
