// Threads that wait for each other for ever, as the JVM finds them.
#pragma once

#include <jvmti.h>

#include <cstddef>
#include <optional>

namespace hearth::events {

// How many are deadlocked now, by monitors or by the locks of java.util.concurrent. The JVM stops for the search
// (VM_FindDeadlocks, share/services/threadService.cpp). None: it cannot be asked, as the module java.management is not
// there. On an attached thread.
std::optional<size_t> deadlocked_threads(JNIEnv* env);

}  // namespace hearth::events
