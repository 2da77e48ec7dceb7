// The native methods of the class hearth.ThreadSpan, for classes of it that the JVM does not find them for.
#pragma once

#include "session/java_labels.h"

namespace hearth::door {

session::NativeClass span_class();

}  // namespace hearth::door
