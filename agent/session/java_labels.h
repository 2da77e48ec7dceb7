// The Java classes that came before the agent and set labels: hearth.ThreadLabels and hearth.ThreadSpan, one of each
// class loader that has them.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <vector>

#include "base/jvm_refs.h"

namespace hearth::session {

struct NativeClass {
  const char* signature;  // "Lhearth/ThreadLabels;"
  std::vector<JNINativeMethod> methods;
};
using NativeClasses = std::vector<NativeClass>;

// Gives them their native methods and says that the agent is here. The JVM itself would look for those in the agent
// only when the command that loads it has succeeded, and for those of System.load in one class loader only
// (share/prims/nativeLookup.cpp, lookup_entry_prefixed). On an attached thread.
// `slow_ns`: as SlowLabels::limit().
void tell_java_labels(jvmtiEnv* jvmti, JNIEnv* env, const LoadedClasses& loaded, const NativeClasses& classes,
                      int64_t slow_ns);

}  // namespace hearth::session
