#include "symbols/jvm/lock_holder_layout.h"

#include "base/jvm_refs.h"
#include "symbols/jvm/field_offsets.h"

namespace hearth::symbols {

void find_lock_holders(JNIEnv* env, const VmStructs& structs, capture::VmLayout* vm) {
  capture::LockHolderLayout& layout = vm->lock_holders;
  layout = structs.monitor_layout();
  if (!vm->references.known) return;
  LocalRef thread(env, env->FindClass("java/lang/Thread"));
  LocalRef ownable(env, env->FindClass("java/util/concurrent/locks/AbstractOwnableSynchronizer"));
  if (env->ExceptionCheck() != JNI_FALSE) env->ExceptionClear();
  if (thread.get() == nullptr || ownable.get() == nullptr) return;
  FieldOffsets offsets(env);
  auto blocker = offsets.of(static_cast<jclass>(thread.get()), "parkBlocker");
  auto java_thread = offsets.of(static_cast<jclass>(thread.get()), "eetop");
  auto owner = offsets.of(static_cast<jclass>(ownable.get()), "exclusiveOwnerThread");
  int object = structs.thread_object_offset(&layout.thread_object_is_handle);
  int super = structs.super_offset();
  if (!blocker || !java_thread || !owner || object < 0 || super < 0) return;
  layout.thread_object = static_cast<uintptr_t>(object);
  layout.park_blocker = *blocker;
  layout.java_thread = *java_thread;
  layout.exclusive_owner = *owner;
  layout.super = static_cast<uintptr_t>(super);
  layout.ownable = structs.class_behind(*reinterpret_cast<uintptr_t*>(ownable.get()));
  layout.has_owners = layout.ownable != 0;
}

}  // namespace hearth::symbols
