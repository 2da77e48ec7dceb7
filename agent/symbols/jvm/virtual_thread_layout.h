// Where this JVM keeps virtual threads: the frames of parked ones, and the thread that a carrier runs.
#pragma once

#include <jni.h>

#include "capture/unwind/java/vm_layout.h"
#include "symbols/jvm/vm_structs.h"

namespace hearth::symbols {

// Fills references, continuations and thread_objects; `vm` knows its classes already. On a Java thread, outside
// signals. Each stays unknown on a JVM without virtual threads, under a ZGC that is not generational, and where
// something is not to be found.
void find_virtual_threads(JNIEnv* env, const VmStructs& structs, capture::VmLayout* vm);

}  // namespace hearth::symbols
