// Classes of the agent's own that it defines among the JDK's, once in a process. Calls come one at a time.
#pragma once

#include <jni.h>

#include <vector>

namespace hearth::events {

struct BootClass {
  const char* name;  // "java/lang/HearthCalls"
  const signed char* bytes;
  int size;
  std::vector<JNINativeMethod> natives;
  // Of a static method.
  const char* method;
  const char* signature;
};

// Returns a global reference, or throws Error where the JVM does not allow it. The class is initialized then: a hook
// must not have to.
jclass define_boot_class(JNIEnv* env, const BootClass& wanted);

}  // namespace hearth::events
