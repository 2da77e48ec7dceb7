// Classes of the agent's own that it defines among the JDK's, once in a process. Calls come one at a time.
#pragma once

#include <jni.h>

#include <vector>

#include "boot_classes.h"

namespace hearth::events {

struct BootClass {
  const char* name;  // "java/lang/HearthCalls"
  java::ClassFile file;
  std::vector<JNINativeMethod> natives;
  // Of a static method.
  const char* method;
  const char* signature;
};

// Returns a global reference, or throws Error where the JVM does not allow it. The class is initialized then: a hook
// must not have to.
jclass define_boot_class(JNIEnv* env, const BootClass& wanted);

}  // namespace hearth::events
