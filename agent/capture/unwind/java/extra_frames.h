// Frames in addition to those of the stack: the class on which a virtual call is dispatched, and the method that a
// compiler thread compiles. Signal safe, if a FaultHandler is installed.
#pragma once

#include <ucontext.h>

#include "capture/unwind/java/vm_layout.h"

namespace hearth::capture {

// Returns the Klass* of the receiver of a call that was interrupted in its vtable or itable stub; 0 if there is none.
uintptr_t receiver_class(const VmLayout& vm, const ucontext_t* interrupted);

// Returns the Klass* of a possible object; 0 if unknown.
uintptr_t class_of(const VmLayout& vm, uintptr_t object);

// Returns the jmethodID of the method that the compiler thread `java_thread` compiles now. Returns 0 for all other
// threads, identified by the kernel's name, and for an idle one.
uint64_t method_in_compilation(const VmLayout& vm, uintptr_t java_thread);

}  // namespace hearth::capture
