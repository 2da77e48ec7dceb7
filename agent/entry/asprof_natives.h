// Entry for Java code that was written for async-profiler: the native methods of one.profiler.AsyncProfiler.
#pragma once

#include <jvmti.h>

namespace hearth::entry {

// Registers them for the class that calls System.load or System.loadLibrary on this thread, whatever its name:
// programs and tools carry copies of that class in packages of their own. Leaves no exception. Nothing happens
// where there is no such call.
void register_asprof_natives(jvmtiEnv* jvmti, JNIEnv* env);

}  // namespace hearth::entry
