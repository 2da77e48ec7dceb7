// The native methods of the class hearth.ThreadLabels, for classes of it that the JVM does not find them for.
#pragma once

#include "session/java_labels.h"

namespace hearth::door {

session::NativeClass label_class();

}  // namespace hearth::door
