// Locations of virtual threads in this JVM: the frames of parked ones, and the thread that a carrier runs.
#pragma once

#include <jni.h>

#include "capture/unwind/java/vm_layout.h"
#include "symbols/jvm/vm_structs.h"

namespace hearth::symbols {

// Fills references, continuations and thread_objects; `vm` has its classes already. On a Java thread, outside signals.
// Each stays unknown in a JVM without virtual threads, with a non-generational ZGC, and if a field is not found.
void find_virtual_threads(JNIEnv* env, const VmStructs& structs, capture::VmLayout* vm);

}  // namespace hearth::symbols
