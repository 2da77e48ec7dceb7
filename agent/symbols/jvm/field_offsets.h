// Offsets of fields of Java objects, from jdk.internal.misc.Unsafe (objectFieldOffset, JDK 10 on). On a Java thread,
// outside signals.
#pragma once

#include <jni.h>

#include <cstdint>
#include <optional>

#include "base/jvm_refs.h"

namespace hearth::symbols {

class FieldOffsets {
 public:
  explicit FieldOffsets(JNIEnv* env);

  // Nothing in older JDKs, and for fields that are not there.
  std::optional<uintptr_t> of(jclass holder, const char* name);
  // Returns the offset of the first element of a byte[].
  std::optional<uintptr_t> of_byte_arrays();

 private:
  jclass unsafe_class() const { return static_cast<jclass>(unsafe_class_.get()); }
  bool clear_exception();

  JNIEnv* env_;
  LocalRef unsafe_class_;
  LocalRef unsafe_;
  jmethodID offset_ = nullptr;
};

}  // namespace hearth::symbols
