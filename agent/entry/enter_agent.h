// The first step of every entry: the agent connects to the JVM of this process, once.
#pragma once

#include <jni.h>

#include <string>

#include "commands/agent.h"

namespace hearth::entry {

// `live`: the VM is past VMInit. Throws Error with the reason if this JVM cannot be profiled.
commands::Agent& enter_agent(JavaVM* vm, bool live);

// The same in a process without a JVM. Its end stops the sessions and writes their files.
commands::Agent& enter_process();
// Whether enter_process() was called in this process, and not in one that it is a fork of.
bool is_entered_process();
commands::Agent& entered_process();

// The path by which this library was loaded; "": the linker does not know it.
std::string own_library();

}  // namespace hearth::entry
