// The native methods of the class hearth.ThreadLabels, for classes of it that the JVM does not find them for.
#pragma once

#include "commands/java_labels.h"

namespace hearth::entry {

commands::NativeClass label_class();

}  // namespace hearth::entry
