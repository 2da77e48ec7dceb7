// The system call that a signal found its thread in, and what the thread waits for there. Signal safe, given a
// FaultHandler.
#pragma once

#include <ucontext.h>

#include <cstdint>

#include "events/wall/thread_state.h"

namespace hearth::events {

struct SystemCall {
  static constexpr int kNone = -1;     // the thread was not in one
  static constexpr int kUnknown = -2;  // it was, and its number is not known
  int number = kNone;
  uintptr_t arguments[3] = {};
  uintptr_t sp = 0;
};

// `number`, `sp`: what /proc told of the thread shortly before; number kNone when it was in no call.
SystemCall broken_off_call(const ucontext_t* interrupted, int number, uintptr_t sp);

// What HotSpot says of the calling thread. Threads that it does not know as Java threads have neither.
struct JavaThreadStates {
  int thread = -1;     // JavaThreadState
  int os_thread = -1;  // OSThread::_state
};

// kNone when `call` is none.
ThreadState state_in(const SystemCall& call, const JavaThreadStates& java);

}  // namespace hearth::events
