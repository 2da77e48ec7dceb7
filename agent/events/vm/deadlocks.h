// Threads in a deadlock, as found by the JVM.
#pragma once

#include <jvmti.h>

#include <cstddef>
#include <optional>

namespace hearth::events {

// Returns the number of threads that are deadlocked now, by monitors or by the locks of java.util.concurrent. The JVM
// stops for the search (VM_FindDeadlocks, share/services/threadService.cpp). Empty: the module java.management is not
// available. On an attached thread.
std::optional<size_t> deadlocked_threads(JNIEnv* env);

}  // namespace hearth::events
