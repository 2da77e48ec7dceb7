// A native method in the form of JNI's RegisterNatives.
#pragma once

#include <jni.h>

namespace hearth::entry {

template <typename Function>
JNINativeMethod method(const char* name, const char* signature, Function* function) {
  // JNI's parameters are not const, though it writes neither; it declares functions as objects.
  return {const_cast<char*>(name), const_cast<char*>(signature), reinterpret_cast<void*>(function)};
}

}  // namespace hearth::entry
