// What a stack does not show, and a profile may: the class that a virtual call is dispatched on, and the method that a
// compiler thread compiles. Signal safe, given a FaultHandler.
#pragma once

#include <ucontext.h>

#include "capture/unwind/java/vm_layout.h"

namespace hearth::capture {

// Klass* of the receiver of a call that was interrupted in its vtable or itable stub; 0 when there is none.
uintptr_t receiver_class(const VmLayout& vm, const ucontext_t* interrupted);

// Klass* of what should be an object; 0 when it cannot be told.
uintptr_t class_of(const VmLayout& vm, uintptr_t object);

// jmethodID of what the compiler thread `java_thread` compiles now. 0 for every other thread, by the name that the
// kernel knows it by, and for one that compiles nothing.
uint64_t method_in_compilation(const VmLayout& vm, uintptr_t java_thread);

}  // namespace hearth::capture
