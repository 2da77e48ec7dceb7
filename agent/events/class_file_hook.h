// A JVMTI environment that can change the code of classes.
#pragma once

#include <jvmti.h>

#include "base/jvm_refs.h"

namespace hearth::events {

// Its callback gets each class file that is loaded or retransformed from now on. Throws Error where the JVM does not
// let classes be changed.
JvmtiEnvironment hook_class_files(JavaVM* java_vm, jvmtiEventClassFileLoadHook callback);

}  // namespace hearth::events
