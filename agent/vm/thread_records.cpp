#include "vm/thread_records.h"

#include <pthread.h>

#include <deque>
#include <mutex>
#include <new>
#include <vector>

extern "C" {
// The name is that of the OTEP. Readers look it up in the table of dynamic symbols.
__attribute__((visibility("default"))) thread_local hearth::vm::ThreadRecord* volatile otel_thread_ctx_v1 = nullptr;
}

namespace hearth::vm {
namespace {

struct Pool {
  std::mutex mutex;
  std::deque<ThreadRecord> all;  // does not move its items
  std::vector<ThreadRecord*> free;
  pthread_key_t key{};
  bool has_key = false;
};

// Never destroyed: threads may end after the agent.
Pool& pool() {
  static auto* pool = new Pool;
  return *pool;
}

void give_back(void* record) {
  auto* free = static_cast<ThreadRecord*>(record);
  free->is_valid = 0;
  std::lock_guard<std::mutex> lock(pool().mutex);
  pool().free.push_back(free);  // has the capacity
}

ThreadRecord* take() {
  Pool& records = pool();
  std::lock_guard<std::mutex> lock(records.mutex);
  if (!records.has_key && ::pthread_key_create(&records.key, give_back) != 0) return nullptr;
  records.has_key = true;
  ThreadRecord* record = nullptr;
  if (records.free.empty()) {
    records.free.reserve(records.all.size() + 1);
    record = &records.all.emplace_back();
  } else {
    record = records.free.back();
    records.free.pop_back();
  }
  if (::pthread_setspecific(records.key, record) == 0) return record;
  records.free.push_back(record);
  return nullptr;
}

}  // namespace

ThreadRecord* take_thread_record() {
  try {
    ThreadRecord* record = otel_thread_ctx_v1;
    if (record == nullptr) record = take();
    if (record == nullptr) return nullptr;
    *record = {};  // an earlier Java thread may have run on this thread
    otel_thread_ctx_v1 = record;
    return record;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace hearth::vm
