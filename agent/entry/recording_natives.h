// Entry for Java code that records spans by async-profiler's API: the native methods of one.profiler.Recording.
#pragma once

#include "commands/java/java_labels.h"

namespace hearth::entry {

hearth::commands::NativeClass recording_class();

}  // namespace hearth::entry
