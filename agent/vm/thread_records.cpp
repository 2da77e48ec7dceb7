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
  otel_thread_ctx_v1 = nullptr;  // before the record is another thread's: this one may still execute Java code
  free->is_valid = 0;
  std::lock_guard<std::mutex> lock(pool().mutex);
  pool().free.push_back(free);  // has the capacity
}

// The calling thread's; a new one if it has none. Not by otel_thread_ctx_v1, which may be another library's variable of
// that name.
ThreadRecord* take() {
  Pool& records = pool();
  std::lock_guard<std::mutex> lock(records.mutex);
  if (records.has_key)
    if (void* own = ::pthread_getspecific(records.key)) return static_cast<ThreadRecord*>(own);
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
    ThreadRecord* record = take();
    if (record == nullptr) return nullptr;
    *record = {};  // an earlier Java thread may have run on this thread
    otel_thread_ctx_v1 = record;
    return record;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void clear_thread_record() {
  ThreadRecord* record = otel_thread_ctx_v1;
  if (record != nullptr) record->is_valid = 0;
}

}  // namespace hearth::vm
