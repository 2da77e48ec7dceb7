// Listens to the JVM's garbage collections for as long as it lives. On an attached thread.
#pragma once

#include <jvmti.h>

namespace hearth::events {

class CollectionEvents {
 public:
  // Called in the pause: nothing of the JVM may be called by them, and nothing thrown. Null: not wanted. A JVM that
  // does not tell is no error.
  CollectionEvents(JavaVM* java_vm, jvmtiEventGarbageCollectionStart on_start,
                   jvmtiEventGarbageCollectionFinish on_finish);
  CollectionEvents(const CollectionEvents&) = delete;
  CollectionEvents& operator=(const CollectionEvents&) = delete;
  ~CollectionEvents();

 private:
  jvmtiEnv* jvmti_ = nullptr;
};

}  // namespace hearth::events
