// A native method, as JNI's RegisterNatives takes it.
#pragma once

#include <jni.h>

namespace hearth::entry {

template <typename Function>
JNINativeMethod method(const char* name, const char* signature, Function* function) {
  // JNI wants to write neither, and knows functions as objects.
  return {const_cast<char*>(name), const_cast<char*>(signature), reinterpret_cast<void*>(function)};
}

}  // namespace hearth::entry
