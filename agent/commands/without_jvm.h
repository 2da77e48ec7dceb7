// What a process without a JVM cannot be asked for.
#pragma once

#include "options/options.h"

namespace hearth::commands {

// Throws Error for the first part of the command that needs a JVM.
void refuse_what_needs_jvm(const options::Options& command);

}  // namespace hearth::commands
