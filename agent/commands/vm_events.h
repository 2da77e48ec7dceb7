// The JVMTI events that the agent receives. Each one costs the JVM time, so all except VMInit and VMDeath are enabled
// only while a session runs. They go to Agent::instance(), on any thread.
#pragma once

#include <jvmti.h>

#include "base/jvm_refs.h"

namespace hearth::commands {

// Enables VMDeath, and VMInit when it is still to come. Sets all callbacks: call it first.
void listen_for_life(jvmtiEnv* jvmti, bool live);

// Enables events of compiled methods. They are ignored, but make the JVM record debug information between safepoints.
void listen_for_compilations(jvmtiEnv* jvmti);

// Enables or disables events of loaded classes, which AsyncGetCallTrace needs, and of generated code. Reports the code
// that exists already, too.
void listen_for_code(jvmtiEnv* jvmti, bool on);

// Enables or disables events of Java threads that start and end.
void listen_for_threads(jvmtiEnv* jvmti, bool on);

// Makes the jmethodIDs of all methods of these classes.
void make_method_ids(jvmtiEnv* jvmti, const LoadedClasses& classes);

}  // namespace hearth::commands
