// Runs code in the name of a class of the JDK: the JVM warns if others bind native methods of the JDK's classes.
#pragma once

#include <jni.h>

namespace hearth::events {

// Calls `work` once, or not at all if this JVM does not allow it. One call at a time.
void run_as_jdk(JNIEnv* env, void (*work)(JNIEnv* env));

}  // namespace hearth::events
