#include "events/vm/collection_events.h"

namespace hearth::events {

CollectionEvents::CollectionEvents(JavaVM* java_vm, jvmtiEventGarbageCollectionStart on_start,
                                   jvmtiEventGarbageCollectionFinish on_finish)
    : jvmti_(java_vm, JVMTI_VERSION_1_2) {
  if (!jvmti_) return;
  jvmtiCapabilities wanted{};
  wanted.can_generate_garbage_collection_events = 1;
  jvmtiEventCallbacks callbacks{};
  callbacks.GarbageCollectionStart = on_start;
  callbacks.GarbageCollectionFinish = on_finish;
  if (jvmti_->AddCapabilities(&wanted) != JVMTI_ERROR_NONE) return;
  jvmti_->SetEventCallbacks(&callbacks, sizeof callbacks);
  if (on_start != nullptr)
    jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_GARBAGE_COLLECTION_START, nullptr);
  if (on_finish != nullptr)
    jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, nullptr);
}

}  // namespace hearth::events
