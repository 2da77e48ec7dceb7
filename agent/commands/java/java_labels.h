// The Java classes that set labels and were loaded before the agent: hearth.ThreadLabels and hearth.ThreadSpan, one of
// each for each class loader that has them.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <vector>

#include "base/jvm_refs.h"

namespace hearth::commands {

struct NativeClass {
  const char* signature;  // "Lhearth/ThreadLabels;"
  std::vector<JNINativeMethod> methods;
};
using NativeClasses = std::vector<NativeClass>;

// Registers their native methods and sets their `hasAgent`. The JVM itself would look up native methods in the agent
// only after the command that loads it has succeeded, and those of System.load in one class loader only
// (share/prims/nativeLookup.cpp, lookup_entry_prefixed). On an attached thread.
// `slow_ns`: as vm::SlowLabels::limit(). `publishes`: whether threads have records (vm/thread_records.h).
void connect_java_labels(jvmtiEnv* jvmti, JNIEnv* env, const LoadedClasses& loaded, const NativeClasses& classes,
                         int64_t slow_ns, bool publishes);

}  // namespace hearth::commands
