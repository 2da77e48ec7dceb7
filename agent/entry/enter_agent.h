// The first step of every entry: the agent connects to the JVM of this process, once.
#pragma once

#include <jni.h>

#include "commands/agent.h"

namespace hearth::entry {

// `live`: the VM is past VMInit. Throws Error with the reason if this JVM cannot be profiled.
commands::Agent& enter_agent(JavaVM* vm, bool live);

}  // namespace hearth::entry
