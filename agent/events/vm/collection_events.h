// Receives events of the JVM's garbage collections during its lifetime. On an attached thread.
#pragma once

#include <jvmti.h>

#include "base/jvm_refs.h"

namespace hearth::events {

class CollectionEvents {
 public:
  // The functions run in the pause: they must not call the JVM, nor throw. Null: not used. A JVM without these events
  // is no error.
  CollectionEvents(JavaVM* java_vm, jvmtiEventGarbageCollectionStart on_start,
                   jvmtiEventGarbageCollectionFinish on_finish);

 private:
  JvmtiEnvironment jvmti_;
};

}  // namespace hearth::events
