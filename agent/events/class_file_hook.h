// A JVMTI environment that can change the code of classes.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <vector>

#include "base/jvm_refs.h"

namespace hearth::events {

// Its callback gets each class file that is loaded or retransformed from now on. Throws Error where the JVM does not
// let classes be changed.
JvmtiEnvironment hook_class_files(JavaVM* java_vm, jvmtiEventClassFileLoadHook callback);

// Makes `bytes` the result of the callback. False: the JVM has no memory.
bool give_class_file(jvmtiEnv* jvmti, const std::vector<uint8_t>& bytes, jint* new_size, unsigned char** new_bytes);

}  // namespace hearth::events
