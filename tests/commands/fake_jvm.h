// A JVM without Java code, for tests of the classes that execute commands: its JVMTI refuses everything, its JNI finds
// nothing. In a library of its own, as the agent looks for HotSpot's functions in the library of the JVM's tables.
#pragma once

#include <jni.h>

namespace hearth::commands {

__attribute__((visibility("default"))) JavaVM* fake_java_vm();
__attribute__((visibility("default"))) JNIEnv* fake_jni();  // of each thread

}  // namespace hearth::commands
