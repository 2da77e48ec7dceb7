// Where this JVM has the holders of locks.
#pragma once

#include <jni.h>

#include "capture/unwind/java/vm_layout.h"
#include "symbols/jvm/vm_structs.h"

namespace hearth::symbols {

// Fills lock_holders; `vm` has its references already. On a Java thread, outside signals. Owners of synchronizers stay
// unknown before JDK 10 and where references are.
void find_lock_holders(JNIEnv* env, const VmStructs& structs, capture::VmLayout* vm);

}  // namespace hearth::symbols
