// What a thread waits for: a Java monitor, or a synchronizer of java.util.concurrent with an owner. Signal safe, if a
// FaultHandler is installed.
#pragma once

#include "capture/thread_slot.h"
#include "capture/unwind/java/vm_layout.h"

namespace hearth::events {

// `java_thread`: of a blocked thread, which this one or any other is; 0: none. A thread that goes on meanwhile, and a
// collector that moves objects, make the answer wrong, not the process: each read is checked, and who uses an owner
// looks for it among the JVM's threads.
capture::LockWait lock_wait_of(const capture::VmLayout& vm, uintptr_t java_thread);

// True if `java_thread` is the owner of this lock.
bool is_owner(const capture::VmLayout& vm, const capture::LockWait& lock, uintptr_t java_thread);

}  // namespace hearth::events
