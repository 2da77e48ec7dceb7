// The native methods of the class hearth.ThreadSpan, for classes of it that the JVM does not find them for.
#pragma once

#include "commands/java_labels.h"

namespace hearth::entry {

commands::NativeClass span_class();

}  // namespace hearth::entry
