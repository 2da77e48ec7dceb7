#include "boot_classes.h"

// Defined in boot_classes.S, which the assembler fills with javac's output.
extern "C" {
extern const signed char hearth_binder_class[];
extern const signed char hearth_binder_class_end[];
extern const signed char hearth_calls_class[];
extern const signed char hearth_calls_class_end[];
extern const signed char hearth_exceptions_class[];
extern const signed char hearth_exceptions_class_end[];
extern const signed char hearth_waits_class[];
extern const signed char hearth_waits_class_end[];
}

namespace hearth::java {
namespace {

ClassFile between(const signed char* begin, const signed char* end) {
  return {begin, static_cast<int>(end - begin)};
}

}  // namespace

ClassFile binder_class() {
  return between(hearth_binder_class, hearth_binder_class_end);
}

ClassFile calls_class() {
  return between(hearth_calls_class, hearth_calls_class_end);
}

ClassFile exceptions_class() {
  return between(hearth_exceptions_class, hearth_exceptions_class_end);
}

ClassFile waits_class() {
  return between(hearth_waits_class, hearth_waits_class_end);
}

}  // namespace hearth::java
