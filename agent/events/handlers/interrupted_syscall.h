// The system call that a signal interrupted, and the state of a thread in it. Signal safe, if a FaultHandler is
// installed.
#pragma once

#include <ucontext.h>

#include <cstdint>

#include "capture/thread_slot.h"
#include "events/wall/thread_state.h"

namespace hearth::events {

struct SystemCall {
  static constexpr int kNone = -1;     // the thread was in no system call
  static constexpr int kUnknown = -2;  // it was in one of unknown number
  int number = kNone;
  uintptr_t arguments[3] = {};
  uintptr_t sp = 0;
};

// `observed`: of the thread in /proc shortly before.
SystemCall interrupted_syscall(const ucontext_t* interrupted, const capture::ObservedCall& observed);

// HotSpot's states of the calling thread; -1 for threads that are no Java threads to it.
struct JavaThreadStates {
  // Of OSThread: share/runtime/osThread.hpp, the same in JDK 8 to 27.
  static constexpr int kMonitorWait = 3;
  static constexpr int kObjectWait = 5;

  int thread = -1;     // JavaThreadState
  int os_thread = -1;  // OSThread::_state
};

// Returns kNone if `call` is none.
ThreadState state_in(const SystemCall& call, const JavaThreadStates& java);

}  // namespace hearth::events
