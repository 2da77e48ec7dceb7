// What the JVM is asked to tell the agent, and when. Each event costs the JVM something, so all but its birth and death
// are asked for only while a session runs. The answers go to Agent::instance(), on whatever thread the JVM chooses.
#pragma once

#include <jvmti.h>

#include "base/jvm_refs.h"

namespace hearth::session {

// VMDeath, and VMInit when that is still to come. Sets all callbacks: call it first.
void listen_for_life(jvmtiEnv* jvmti, bool live);

// Compiled methods: nothing is done with them, but the JVM then records debug information between safepoints.
void listen_for_compilations(jvmtiEnv* jvmti);

// Classes as they are loaded (AsyncGetCallTrace asks for that) and generated code, that which is there already
// included.
void listen_for_code(jvmtiEnv* jvmti, bool on);

// Java threads as they start and end.
void listen_for_threads(jvmtiEnv* jvmti, bool on);

// Makes the jmethodIDs of all of their methods.
void make_method_ids(jvmtiEnv* jvmti, const LoadedClasses& classes);

}  // namespace hearth::session
