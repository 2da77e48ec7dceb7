// Native methods of the class hearth.ThreadLabels, for RegisterNatives on copies that the JVM does not bind by name.
#pragma once

#include "commands/java/java_labels.h"

namespace hearth::entry {

commands::NativeClass label_class();

}  // namespace hearth::entry
