// Where this JVM keeps the frames of parked virtual threads.
#pragma once

#include <jni.h>

#include "capture/unwind/vm_layout.h"
#include "symbols/vm_structs.h"

namespace hearth::symbols {

// On a Java thread, outside signals. `known` stays false on a JVM without virtual threads, under a ZGC that is not
// generational, and where something is not to be found.
capture::ContinuationLayout find_continuation_layout(JNIEnv* env, const VmStructs& structs);

}  // namespace hearth::symbols
