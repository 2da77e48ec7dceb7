#include "boot_classes.h"

// Defined in boot_classes.S, which the assembler fills with javac's output.
extern "C" {
extern const signed char hearth_binder_class[];
extern const signed char hearth_binder_class_end[];
extern const signed char hearth_calls_class[];
extern const signed char hearth_calls_class_end[];
extern const signed char hearth_exceptions_class[];
extern const signed char hearth_exceptions_class_end[];
}

namespace hearth::java {

const signed char* binder_class() {
  return hearth_binder_class;
}

int binder_class_size() {
  return static_cast<int>(hearth_binder_class_end - hearth_binder_class);
}

const signed char* calls_class() {
  return hearth_calls_class;
}

int calls_class_size() {
  return static_cast<int>(hearth_calls_class_end - hearth_calls_class);
}

const signed char* exceptions_class() {
  return hearth_exceptions_class;
}

int exceptions_class_size() {
  return static_cast<int>(hearth_exceptions_class_end - hearth_exceptions_class);
}

}  // namespace hearth::java
