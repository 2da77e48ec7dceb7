#include "capture/faults/safe_load.h"

#include "capture/faults/fault_handler.h"

namespace hearth::capture {
namespace {

// rsp in the innermost hearth_guarded_call of this thread, 0 outside of any.
thread_local uint64_t t_guard_sp = 0;

}  // namespace

uint64_t take_guard_sp() {
  uint64_t sp = t_guard_sp;
  t_guard_sp = 0;
  return sp;
}

bool guarded(void (*function)(void*, void*, void*), void* a, void* b, void* c) {
  uint64_t outer = t_guard_sp;
  int faulted = hearth_guarded_call(&t_guard_sp, function, a, b, c);
  t_guard_sp = outer;
  return faulted == 0;
}

}  // namespace hearth::capture
